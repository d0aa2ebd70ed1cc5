import type { InEach, Texts } from '../../../words/languages.ts';

const english = {
  page: 'Page',
  taken: 'Taken',
  takenBy: 'Taken by',
  reference: 'Case',
  parts: 'Parts',
  failed: 'Parts that failed',
  copyHash: (name: string) => `Copy the SHA-256 of ${name}`,
  partsHash: 'SHA-256 of all parts',
  archiveHash: 'SHA-256 of the archive',
  timestamp: 'Timestamp',
  secrets: (count: string) => `${count} secrets replaced`,
  pictures: 'Not redacted',
  verify: 'How to verify',
  verifyDetail: 'Save the archive, and check each of its bytes against the hashes:',
  verifyByHand: 'Without Spillway: unpack the archive, and compare what this prints with the hashes above.',
  noManifest: 'The archive has a manifest with the hash of each part.',
} as const;

type EvidenceWords = Texts<typeof english>;

const chinese: EvidenceWords = {
  page: '页面',
  taken: '采集时间',
  takenBy: '采集人',
  reference: '案件',
  parts: '组成部分',
  failed: '失败的部分',
  copyHash: (name) => `复制 ${name} 的 SHA-256`,
  partsHash: '所有部分的 SHA-256',
  archiveHash: '归档文件的 SHA-256',
  timestamp: '时间戳',
  secrets: (count) => `已替换 ${count} 处机密`,
  pictures: '未经脱敏',
  verify: '如何验证',
  verifyDetail: '保存归档文件，并用哈希值检查其中每个字节：',
  verifyByHand: '不使用 Spillway：解压归档文件，并把此命令的输出与上面的哈希值比较。',
  noManifest: '归档文件中有一份清单，包含每个部分的哈希值。',
};

export const words: InEach<EvidenceWords> = { en: english, 'zh-CN': chinese };
