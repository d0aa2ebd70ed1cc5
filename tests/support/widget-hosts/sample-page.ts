/** A page's Markdown with everything that a widget draws, and with content that it must not draw. */
export const SAMPLE_PAGE = `# Streams with credits

A stream is a sequence of **chunks** with *credits*: a slow reader stops the sender. See [the guide](https://docs.example.org/guide) and [a place inside](/local), [a trap](javascript:alert(1)).

<img src="https://tracker.example.org/pixel.png" onerror="alert(1)"> <script>alert(2)</script>

![A diagram of two ends](https://tracker.example.org/diagram.png)

## Credits

- Each end grants bytes.
- [x] The reader grants first.
- [ ] The sender waits.

1. Open the stream.
2. Send while there is credit.

> A sender that ignores its credit is closed.

\`\`\`ts
const stream = await open({ credit: 65_536 });
for await (const chunk of stream) console.log(chunk.length);
\`\`\`

| option | default | what it does |
| --- | ---: | --- |
| \`credit\` | 65,536 | bytes that may be on the way |
| \`timeout\` | 30 | seconds before it is closed |

#### Limits

Name of a file: invoice\u202efdp.exe
`;

/** Markdown of at least this length, in sections. */
export const longPage = (characters: number): string => {
  const section = (at: number): string =>
    `## Section ${at}\n\nParagraph ${at} says that a **stream** has credits, and links to [page ${at}](https://docs.example.org/${at}).\n\n`;
  let text = '# A long page\n\n';
  for (let at = 1; text.length < characters; at += 1) text += section(at);
  return text;
};
