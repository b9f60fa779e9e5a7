import { isBindingName } from "./identifier.js";

/** `callTool` of `CallTool`, `urlElicitation` of `URLElicitation`. */
export function lowerFirst(name: string): string {
  return name.replace(/^[A-Z]+(?=[A-Z][a-z]|$)|^[A-Z]/, (start) => start.toLowerCase());
}

export function upperFirst(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** `LOGGING_LEVEL` of `LoggingLevel`. */
export function constantCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .toUpperCase();
}

/**
 * `TOOLS_CALL` of `tools/call`. A character that is not allowed in a name is replaced by its code, so that methods that
 * differ only in such characters have different names.
 */
export function constantName(text: string): string {
  const name = constantCase(text)
    .replace(/[/.-]/g, "_")
    .replace(/[^A-Za-z0-9_]/g, (found) => `$${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`);
  return isBindingName(name) ? name : `_${name}`;
}

/** `name`, or with `suffix` when it is a reserved word. */
export function safeBinding(name: string, suffix: string): string {
  return isBindingName(name) ? name : name + suffix;
}
