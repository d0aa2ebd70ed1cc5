import { z } from 'zod';

/*
 * Events of `Runtime` and `Log` about messages, with the members in use.
 * https://chromedevtools.github.io/devtools-protocol/tot/Runtime/, …/Log/
 */

const PreviewProperty = z.object({ name: z.string(), type: z.string(), value: z.string().optional() });
const Preview = z.object({
  overflow: z.boolean().default(false),
  properties: z.array(PreviewProperty).default([]),
});

/** A value of the page. */
export const RemoteObject = z.object({
  type: z.string(),
  subtype: z.string().optional(),
  className: z.string().optional(),
  value: z.unknown().optional(),
  unserializableValue: z.string().optional(),
  description: z.string().optional(),
  objectId: z.string().optional(),
  preview: Preview.optional(),
});
export type RemoteObject = z.infer<typeof RemoteObject>;

const CallFrame = z.object({
  functionName: z.string(),
  url: z.string(),
  lineNumber: z.int(),
  columnNumber: z.int(),
});
const StackTrace = z.object({ callFrames: z.array(CallFrame) });
export type StackTrace = z.infer<typeof StackTrace>;

export const ConsoleCall = z.object({
  type: z.string(),
  args: z.array(RemoteObject),
  timestamp: z.number(),
  stackTrace: StackTrace.optional(),
});
export type ConsoleCall = z.infer<typeof ConsoleCall>;

export const ExceptionThrown = z.object({
  timestamp: z.number(),
  exceptionDetails: z.object({
    exceptionId: z.int(),
    text: z.string(),
    url: z.string().optional(),
    lineNumber: z.int(),
    columnNumber: z.int(),
    stackTrace: StackTrace.optional(),
    exception: RemoteObject.optional(),
  }),
});
export type ExceptionThrown = z.infer<typeof ExceptionThrown>;

export const ExceptionRevoked = z.object({ exceptionId: z.int() });

export const LogEntry = z.object({
  entry: z.object({
    source: z.string(),
    level: z.enum(['verbose', 'info', 'warning', 'error']),
    text: z.string(),
    timestamp: z.number(),
    url: z.string().optional(),
    lineNumber: z.int().optional(),
    stackTrace: StackTrace.optional(),
  }),
});
export type LogEntry = z.infer<typeof LogEntry>;

/** Own properties of an object. */
export const Properties = z.object({
  result: z.array(z.object({ name: z.string(), enumerable: z.boolean(), value: RemoteObject.optional() })),
});
