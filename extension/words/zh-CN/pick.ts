import { pickTexts } from '../en/pick.ts';

pickTexts.teach('zh-CN', {
  start: '选取元素',
  again: '另选一个',
  about: '在页面上指出一个元素，并发送给智能体',
  pointing: '请点击页面上的元素。按向上键扩大选择范围，按 Esc 取消。',
  say: '你想告诉智能体什么？',
  to: '智能体',
  send: (agent) => `发送给 ${agent}`,
  sent: (agent) => `已发送给 ${agent}。`,
  cancel: '取消',
  problems: {
    page_forbidden: '浏览器不允许扩展访问此页面。',
    person_has_tab: '你已接管此标签页，请先交还。',
    policy_denied: '你的规则不允许该智能体查看此页面。',
    page_changed: '页面已改变，请重新选取元素。',
    session_closed: '该智能体的会话已结束。',
    browser_disconnected: '该智能体已断开连接。',
    api_not_found: '该智能体的服务器版本低于此扩展，请重启智能体。',
    other: '操作未成功，请重试。',
  },
});
