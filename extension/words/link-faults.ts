import type { InEach } from './languages.ts';

/** Why there is no connection to the native host. */
export const LINK_FAULTS = [
  'host_not_found',
  'host_forbidden',
  'host_not_started',
  'host_exited',
  'host_garbled',
  'host_no_hello',
  'host_silent',
  'host_refused',
  'wire_version_mismatch',
  'unknown',
] as const;
export type LinkFaultKind = (typeof LINK_FAULTS)[number];

/** A fault as it is sent to pages. */
export interface ShownFault {
  readonly kind: LinkFaultKind;
  /** What the browser or the host says, in its own words, where that is more than the kind says; or null. */
  readonly message: string | null;
}

/** A fault in words. */
interface FaultText {
  /** What happened, in one sentence. */
  readonly message: string;
  /** The next step, in one sentence. */
  readonly remedy: string;
}

/** The texts of faults, in each language. */
export const linkFaultTexts: InEach<Readonly<Record<LinkFaultKind, FaultText>>> = {
  en: {
    host_not_found: {
      message: 'No Spillway host is registered with this browser.',
      remedy: 'Install it once, in a terminal, or remove this extension.',
    },
    host_forbidden: {
      message: 'The Spillway host on this computer does not list this extension.',
      remedy: 'Register it again, in a terminal.',
    },
    host_not_started: {
      message: 'The Spillway host is registered, but could not be started.',
      remedy: 'It may have moved: register it again, in a terminal.',
    },
    host_exited: {
      message: 'The Spillway host on this computer has ended.',
      remedy: 'It restarts automatically. If this persists, run the check to see what fails.',
    },
    host_garbled: {
      message: 'The program registered as the Spillway host does not speak its protocol.',
      remedy: 'Run the check to see which program is registered.',
    },
    host_no_hello: {
      message: 'The Spillway host was started, but has not answered yet.',
      remedy: 'Run the check to see which step hangs.',
    },
    host_silent: {
      message: 'The Spillway host no longer answers.',
      remedy: 'It restarts automatically. If this persists, run the check to see what hangs.',
    },
    host_refused: {
      message: 'The Spillway host refused this extension.',
      remedy: 'Register it again, in a terminal.',
    },
    wire_version_mismatch: {
      message: 'The extension and the host have incompatible versions.',
      remedy: 'Update the older one.',
    },
    unknown: {
      message: 'The Spillway host cannot be reached.',
      remedy: 'Run the check to see which step fails.',
    },
  },
  'zh-CN': {
    host_not_found: {
      message: '此浏览器没有注册 Spillway 主机程序。',
      remedy: '请在终端中安装一次，或移除此扩展。',
    },
    host_forbidden: {
      message: '这台电脑上的 Spillway 主机程序没有登记此扩展。',
      remedy: '请在终端中重新注册。',
    },
    host_not_started: {
      message: 'Spillway 主机程序已注册，但无法启动。',
      remedy: '它可能已被移动：请在终端中重新注册。',
    },
    host_exited: {
      message: '这台电脑上的 Spillway 主机程序已结束。',
      remedy: '它会自动重新启动。如果问题持续，请运行检查，看看哪里出错。',
    },
    host_garbled: {
      message: '注册为 Spillway 主机的程序不使用它的协议。',
      remedy: '请运行检查，看看注册的是哪个程序。',
    },
    host_no_hello: {
      message: 'Spillway 主机程序已启动，但尚未应答。',
      remedy: '请运行检查，看看卡在哪一步。',
    },
    host_silent: {
      message: 'Spillway 主机程序不再应答。',
      remedy: '它会自动重新启动。如果问题持续，请运行检查，看看卡在哪里。',
    },
    host_refused: {
      message: 'Spillway 主机程序拒绝了此扩展。',
      remedy: '请在终端中重新注册。',
    },
    wire_version_mismatch: {
      message: '扩展与主机程序的版本不兼容。',
      remedy: '请更新较旧的一方。',
    },
    unknown: {
      message: '无法连接 Spillway 主机程序。',
      remedy: '请运行检查，看看哪一步失败。',
    },
  },
};

const CHECKED: ReadonlySet<LinkFaultKind> = new Set([
  'host_exited',
  'host_garbled',
  'host_no_hello',
  'host_silent',
  'unknown',
]);

/** What to type in a terminal against a fault. */
export const commandOf = (kind: LinkFaultKind): string =>
  CHECKED.has(kind) ? 'spillway doctor' : 'spillway install';
