import { common } from './common.ts';
import { popupTexts, welcomeTexts } from '../en/popup.ts';

popupTexts.teach('zh-CN', {
  ...common,
  decide: '去决定',
  debuggingCancelled: '调试已取消',
  debuggingDetail:
    '在你重新允许之前，智能体不能点击、输入、拖动、上传、回答对话框、记录请求、读取控制台，也不能截取整页或后台标签页的图片。',
  give: (agent) => `把此标签页交给 ${agent}`,
  given: (agents) => `此标签页已借给 ${agents}。可在侧边栏中收回。`,
  openPanel: '打开侧边栏',
  panelDetail: '智能体、问题和你允许过的事项',
  tag: (tag) => `与另一个同类浏览器并存时，智能体把它称为“unnamed ${tag}”。`,
  connectedDetail: '这台电脑上的智能体可以在此浏览器中工作。',
  ready: '就绪',
  readyDetail: '没有智能体在使用此浏览器。请启动你的智能体，或把 Spillway 添加给它。',
  notSetUp: '尚未在这台电脑上设置',
  uninstalled: '已从这台电脑上卸载',
  uninstalledDetail: '智能体无法连接此浏览器。请在终端中重新安装 Spillway，或移除此扩展。',
  retryingIn: (seconds) => `${seconds} 秒后重试`,
  debuggingAllowed: '已重新允许调试。',
  questions: (count) => (count === 1 ? '有智能体请求你的许可' : `有 ${count} 个问题等待你处理`),
  anAgent: '一个智能体',
  stop: '停止',
  stopOf: (agent) => `停止${agent === null ? '所有智能体' : ` ${agent}`}`,
  allowAgain: '重新允许',
  allowAgainOf: (agent) => `重新允许${agent === null ? '所有智能体' : ` ${agent}`}`,
  server: (version) => `服务器 ${version}`,
});

welcomeTexts.teach('zh-CN', {
  title: '欢迎使用 Spillway',
  intro:
    'Spillway 让这台电脑上的智能体在此浏览器中工作：在它们自己打开的标签页里，以及你借给它们的标签页里。读取你的标签页之前，它们会先问你。',
  pinTitle: '固定图标',
  pin: '点击工具栏中的拼图图标，再点击 Spillway 旁边的图钉。图标会显示连接状态，以及智能体何时有问题问你。',
  tryTitle: '试一试',
  thenAsk: '然后说：',
  paste: '已有智能体连接。把其中一句发给它：',
  restart: (names) => `${names.join('、')} 的设置中已有 Spillway。请重启你的智能体，然后把其中一句发给它：`,
  others: '其他客户端',
  prompts: [
    '在我的浏览器中打开 news.ycombinator.com，并总结排在最前的五条新闻。',
    '请我把当前标签页借给你，阅读其中的页面，并列出它要我做的事。',
    '在我的浏览器中打开 wikipedia.org，搜索‘spillway’，并给我第一段。',
  ],
});
