import { expect } from "vitest";
import { readGatewayConfig } from "../../../../../generator/commands/gateway/config/read-config.js";

/** The mistakes in a text, each as `line:column error|warning id: message`. */
export function mistakes(text: string, lenient = false): readonly string[] {
  const { problems, config } = readGatewayConfig(text, { path: "g.json", lenient });
  if (!lenient) expect(config === undefined).toBe(problems.some(({ severity }) => severity === "error"));
  return problems.map(({ id, severity, span, message }) => `${span.line}:${span.column} ${severity} ${id}: ${message}`);
}
