/*
 * Rules of the house as selectors of syntax, for oxlint. `.oxlintrc.jsonc` says where each one holds,
 * as `house/<name>`.
 */
const WAITING =
  'Use shared/base/async.ts: withTimeout, waitAtMost, abortable, delay, onAbort and deadlineSignal remove what they set up.';

/** Letters that follow each other, and the attributes that people see or hear. */
const WORD = '/\\p{L}{2}/u';
const READ_OUT = '/^(title|alt|placeholder|label|aria-(label|description|valuetext|roledescription))$/';

/** The debugger's name of a method or an event, such as `Page.enable`. */
const COMMAND =
  '/^(Accessibility|Animation|Browser|CSS|Console|DOM|DOMDebugger|DOMSnapshot|Debugger|Emulation|Fetch|HeapProfiler|IO|IndexedDB|Input|Inspector|LayerTree|Log|Media|Memory|Network|Overlay|Page|Performance|Preload|Profiler|Runtime|Security|ServiceWorker|Storage|SystemInfo|Target|Tracing|WebAudio|WebAuthn)\\.([a-z]\\w+)?$/';

/** Name → the selectors it rejects, and the remedy. */
const RULES = {
  'no-enum': { selectors: ['TSEnumDeclaration'], message: 'Use `as const` objects instead of enum.' },
  'no-clean-cast': {
    selectors: ['TSAsExpression > TSTypeReference[typeName.name=/^Clean/]'],
    message: 'Only a redactor makes a value clean: see server/libraries/redaction/clean.ts.',
  },
  'one-framing': {
    selectors: ["ImportSpecifier[imported.name='endianness']"],
    message: 'Frames are read and written by server/core/bridge/frames.ts.',
  },
  'one-process-identity': {
    selectors: [
      "CallExpression[callee.object.name='process'][callee.property.name='kill'][arguments.1.value=0]",
      'TemplateLiteral[quasis.0.value.raw=/^.proc.$/][quasis.1.value.raw="/stat"]',
    ],
    message: 'Use isRunning or isPidRunning of server/core/machine/process-identity.ts.',
  },
  'no-hand-written-waits': {
    selectors: [
      "CallExpression[callee.property.name='addEventListener'][arguments.0.value='abort']",
      "NewExpression[callee.name='Promise'] CallExpression[callee.name='setTimeout']",
    ],
    message: WAITING,
  },
  'one-message-of': {
    selectors: [
      "ConditionalExpression[test.operator='instanceof'][test.right.name='Error'][consequent.property.name='message'][alternate.callee.name='String']",
    ],
    message: 'Use messageOf of shared/base/message-of.ts.',
  },
  'one-is-object': {
    selectors: [
      'VariableDeclarator[id.name=/^is(Object|Record)$/][init.type=ArrowFunctionExpression]',
      'FunctionDeclaration[id.name=/^is(Object|Record)$/]',
      "LogicalExpression[operator='&&'][right.operator='!'][right.argument.callee.property.name='isArray'][left.right.right.raw='null']",
      "LogicalExpression[operator='||'][right.callee.property.name='isArray'][left.right.right.raw='null']",
      "LogicalExpression[operator='&&'][right.operator='in'][left.left.right.value='object'][left.right.right.raw='null']",
    ],
    message: 'Use isObject of shared/base/json.ts.',
  },
  'no-object-maps': {
    selectors: [
      'VariableDeclarator[id.typeAnnotation.typeAnnotation.typeName.name="Record"][init.properties.length=0]',
      'PropertyDefinition[typeAnnotation.typeAnnotation.typeName.name="Record"][value.properties.length=0]',
    ],
    message:
      'A name from outside may be `__proto__` or `constructor`: fill a Map, make the object with Object.fromEntries, and read tables with lookUp of shared/base/json.ts.',
  },
  'one-full-disk': {
    selectors: ["ArrayExpression > Literal[value='ENOSPC']"],
    message: 'Use isFull of server/core/machine/errno.ts.',
  },
  'words-in-catalogues': {
    selectors: [
      `JSXText[value=${WORD}]`,
      ...[
        'JSXElement > JSXExpressionContainer',
        `JSXAttribute[name.name=${READ_OUT}] > JSXExpressionContainer`,
      ].flatMap((place) => [
        `${place} > Literal[value=${WORD}]`,
        `${place} > :matches(ConditionalExpression, LogicalExpression) > Literal[value=${WORD}]`,
        `${place} > TemplateLiteral > TemplateElement[value.raw=${WORD}]`,
      ]),
      `JSXAttribute[name.name=${READ_OUT}] > Literal[value=${WORD}]`,
    ],
    message: 'Texts are in words/, in each language.',
  },
  'one-protocol': {
    selectors: [
      `Literal[value=${COMMAND}]`,
      `TemplateElement[value.raw=${COMMAND}]`,
      'MemberExpression[object.name="lease"][property.name=/^(send|onEvent)$/]',
      'MemberExpression[object.property.name="lease"][property.name=/^(send|onEvent)$/]',
    ],
    message:
      'Ask extension/platform/chromium for what is wanted: it alone names methods and events of the debugger.',
  },
  'patient-waits': {
    selectors: [
      "CallExpression[callee.object.name='vi'][callee.property.name=/^wait(For|Until)$/][arguments.length=1]",
    ],
    message: 'The default is one second: pass PATIENCE of tests/support/patience.ts.',
  },
  'self-contained': {
    // `scripting.executeScript` passes the function as text, so it can use nothing else of its file.
    selectors: [
      'Program > :not(ExportNamedDeclaration)',
      'Program > ExportNamedDeclaration > :not(FunctionDeclaration)',
    ],
    message:
      'A file of in-page/ is exported functions that use nothing of each other: each is passed to the page as text, alone.',
    uses: (name, { body }) => body.some(({ declaration }) => declaration?.id?.name === name),
  },
};

const ruleOf = ({ selectors, message, uses = () => false }) => ({
  create(context) {
    const report = (node) => context.report({ node, message });
    let program = { body: [] };
    return {
      ...Object.fromEntries(selectors.map((selector) => [selector, report])),
      Program: (node) => (program = node),
      Identifier: (node) => {
        if (node.parent.type !== 'FunctionDeclaration' && uses(node.name, program)) report(node);
      },
    };
  },
});

export default {
  meta: { name: 'house' },
  rules: Object.fromEntries(Object.entries(RULES).map(([name, rule]) => [name, ruleOf(rule)])),
};
