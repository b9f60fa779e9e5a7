import { isBindingName } from "../names/identifier.js";

/** `callTool` of `CallTool`, `urlElicitation` of `URLElicitation`. */
export function lowerFirst(name: string): string {
  return name.replace(/^[A-Z]+(?=[A-Z][a-z]|$)|^[A-Z]/, (start) => start.toLowerCase());
}

export function upperFirst(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** `LOGGING_LEVEL` of `LoggingLevel`. */
export function screaming(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .toUpperCase();
}

/** `name`, or with `suffix` when it is a reserved word. */
export function safeBinding(name: string, suffix: string): string {
  return isBindingName(name) ? name : name + suffix;
}
