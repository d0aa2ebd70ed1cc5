import { badgeTexts, faultTexts } from '../en/link.ts';

faultTexts.teach('zh-CN', {
  messages: {
    host_not_found: '此浏览器没有注册 Spillway 主机程序。',
    host_forbidden: '这台电脑上的 Spillway 主机程序不接受此扩展。',
    host_not_started: 'Spillway 主机程序已注册，但无法启动。',
    host_exited: '这台电脑上的 Spillway 主机程序已结束。',
    host_garbled: '注册为 Spillway 主机的程序不使用它的协议。',
    host_no_hello: 'Spillway 主机程序已启动，但尚未应答。',
    host_silent: 'Spillway 主机程序不再应答。',
    host_refused: 'Spillway 主机程序拒绝了此扩展。',
    wire_version_mismatch: '扩展与主机程序的版本不兼容。',
    unknown: '无法连接 Spillway 主机程序。',
  },
  remedies: {
    host_not_found: '请在终端中安装一次，或移除此扩展。',
    host_forbidden: '请在终端中重新注册。',
    host_not_started: '它可能已被移动：请在终端中重新注册。',
    host_exited: '它会自动重新启动。如果问题持续，请运行检查，看看哪里出错。',
    host_garbled: '请运行检查，看看注册的是哪个程序。',
    host_no_hello: '请运行检查，看看卡在哪一步。',
    host_silent: '它会自动重新启动。如果问题持续，请运行检查，看看卡在哪里。',
    host_refused: '请在终端中重新注册。',
    wire_version_mismatch: '请更新较旧的一方。',
    unknown: '请运行检查，看看哪一步失败。',
  },
});

badgeTexts.teach('zh-CN', {
  questions: (count) =>
    count === 1
      ? 'Spillway：有智能体请求你的许可。点击以决定。'
      : `Spillway：有 ${count} 个问题等待你的许可。点击以决定。`,
  connected: (servers) =>
    servers === 0 ? 'Spillway：已连接，目前没有智能体' : `Spillway：已连接，${servers} 个服务器`,
  cancelled: '你取消了调试，因此智能体无法操作。点击以重新允许。',
  recording: 'Spillway：正在录制你的操作',
  connecting: 'Spillway：正在连接',
  notConnected: (why) => `Spillway：未连接。${why}`,
  asks: (agent) => `${agent} 请求你的许可`,
  needs: (agent) => `${agent} 需要你`,
  give: (agent) => `把此标签页交给 ${agent}`,
});
