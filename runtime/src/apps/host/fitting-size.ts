import type { McpUiHostContext, McpUiSizeChangedNotificationParams } from "@mcpwright/protocol/extensions/apps";

/** CSS pixels; no app needs more, and browsers have limits. */
const most = 20_000;

/** The CSS of a frame for the size of its content. Dimensions that the host has fixed, and a width without a limit, do not change. */
export function fittingSize(
  { width, height }: McpUiSizeChangedNotificationParams,
  { containerDimensions = {} }: McpUiHostContext,
): { width?: string; height?: string } {
  const limits: { readonly height?: number; readonly maxHeight?: number; readonly maxWidth?: number } =
    containerDimensions;
  const isFixed = limits.height !== undefined;
  return {
    ...(height !== undefined && !isFixed && { height: pixels(height, limits.maxHeight) }),
    ...(width !== undefined && limits.maxWidth !== undefined && { width: pixels(width, limits.maxWidth) }),
  };
}

function pixels(wanted: number, limit = most): string {
  return `${Math.max(0, Math.min(wanted, limit, most))}px`;
}
