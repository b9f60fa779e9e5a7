import type { Renderer } from "./renderer.js";

/** Keeps double braces in texts, which Vue would read as expressions. */
export function plainBraces(md: Renderer): void {
  const { text } = md.renderer.rules;
  if (text === undefined) return;
  md.renderer.rules.text = (...args) => text(...args).replaceAll("{{", "&#123;&#123;");
}
