import type { ToolRuntimes } from '../core/registry/definition.ts';
import type { Bridge } from '../core/services.ts';
import { createDialog } from './answer-dialog.ts';

export const createRuntimes = (services: { readonly bridge: Bridge }): ToolRuntimes => ({
  dialog: createDialog(services),
});
