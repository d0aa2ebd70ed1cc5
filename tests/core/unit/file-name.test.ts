import { expect, it } from 'vitest';
import { fileNameOf } from '../../../shared/base/file-name.ts';

const URL = 'https://mill.test/a/b%20c.pdf?d=/e#f';

it.each([
  [null, URL, 'b c.pdf'],
  ['attachment; filename=x.pdf', URL, 'x.pdf'],
  ['attachment; filename= my report.pdf ; size=2', URL, 'my report.pdf'],
  ['attachment; filename="a \\"quoted\\"; name.pdf"', URL, 'a "quoted"; name.pdf'],
  [`inline; filename="x"; filename*=UTF-8''M%C3%BChle.pdf`, URL, 'Mühle.pdf'],
  [`attachment; filename*=iso-8859-1'de'M%FChle.pdf`, URL, 'Mühle.pdf'],
  [`attachment; filename*=UTF-8''%FF.pdf; filename=fallback.pdf`, URL, 'fallback.pdf'],
  ['attachment; filename="MÃ¼hle.pdf"', URL, 'Mühle.pdf'],
  ['attachment; filename="%E6%8A%A5%E8%A1%A8..%2F1.xlsx"', URL, '1.xlsx'],
  ['attachment; filename=M%C3%BChle 50%25.pdf', URL, 'Mühle 50%.pdf'],
  ['attachment; filename=50%.pdf', URL, '50%.pdf'],
  ['attachment; filename="../../etc/passwd"', URL, 'passwd'],
  ['attachment; filename="C:\\\\temp\\\\x.pdf"', URL, 'x.pdf'],
  ['attachment; filename="a\u202egpj.exe"', URL, 'agpj.exe'],
  ['attachment; filename=".."', URL, null],
  [null, 'https://mill.test/', null],
])('%s at %s is %s', (disposition, url, name) => expect(fileNameOf(disposition, url)).toBe(name));
