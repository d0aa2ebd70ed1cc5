import { recordTexts, pickTexts } from '../en/record.ts';
import { say } from '../sentence.ts';

const problems = {
  page_forbidden: '浏览器不允许扩展访问此页面。',
  person_has_tab: '你已接管此标签页，请先交还。',
  browser_disconnected: '该智能体已断开连接。',
  api_not_found: '该智能体的服务器版本低于此扩展，请重启智能体。',
  other: '操作未成功，请重试。',
};

pickTexts.teach('zh-CN', {
  start: '选取元素',
  again: '另选一个',
  about: '在页面上指出一个元素，并发送给智能体',
  pointing: '请点击页面上的元素。按向上键扩大选择范围，按 Esc 取消。',
  say: '你想告诉智能体什么？',
  send: (agent) => `发送给 ${agent}`,
  sent: (agent) => `已发送给 ${agent}。`,
  problems: {
    ...problems,
    policy_denied: '你的规则不允许该智能体查看此页面。',
    page_changed: '页面已改变，请重新选取元素。',
    session_closed: '该智能体的会话已结束。',
  },
});

recordTexts.teach('zh-CN', {
  start: '录制配方',
  about: '在页面上操作一次，保存为智能体可以重复执行的配方',
  recording: '正在录制你在此窗口中的操作。密码绝不会被录制。',
  stop: '停止录制',
  steps: '已录制的步骤',
  nothing: '尚未录制任何操作。',
  nothingLeft: '没有剩余的步骤。',
  noUrl: '打开每次输入的网址。',
  opened: '页面打开了一个新标签页。',
  shows: (text) => say`结束时，页面显示 ${text}。`,
  empty: '每次输入的文本',
  among: (nth, of) => `页面上共 ${of} 个相同的，取第 ${nth} 个。`,
  near: (place) => say`它位于 ${place} 附近。`,
  left: (count) => `有 ${count} 个操作无法重复，已略过。`,
  hasAgent: '智能体曾在录制的标签页中操作，你当时在该页的操作未被录制。',
  deniedSite: (site) => `未录制：你的规则不允许智能体访问 ${site}。`,
  tool: (name) => `智能体以 ${name} 调用它。`,
  parameter: '每次询问此文本，参数名为',
  parameterOf: (step) => `第 ${step} 步的参数`,
  wrongName: '参数名只能包含字母、数字和 _。',
  remove: (step) => `移除第 ${step} 步`,
  keep: '保存为配方',
  discard: '放弃',
  kept: (name) => `已保存为 ${name}，智能体现在可以调用。`,
  again: '再录制一个',
  noAgent: '请先连接智能体，再保存。',
  problems: {
    ...problems,
    policy_denied: '你的规则不允许智能体访问此页面，因此不会录制。',
    taken_over: '你已接管标签页。以下是接管前的操作。',
    tab_not_found: '标签页已关闭。以下是关闭前的操作。',
    cancelled: '浏览器结束了录制。以下是结束前的操作。',
    recipe_exists: '已有同名配方，请另取名称。',
    recipe_invalid: '服务器拒绝了该配方，请另取名称。',
    recipe_has_secret: '某个步骤疑似含有机密。请将其设为参数，或移除该步骤。',
    store_full: '配方文件夹已满。',
  },
});
