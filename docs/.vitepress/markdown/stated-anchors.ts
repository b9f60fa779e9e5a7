import { splitStatedAnchor } from "../../../scripts/docs/read/heading-anchor.js";
import type { Renderer } from "./renderer.js";

/** Gives headings the anchors that they state: `## 询问用户 {#ask-the-user}`. */
export function statedAnchors(md: Renderer): void {
  md.core.ruler.after("inline", "stated-anchors", (state) => {
    for (const [index, token] of state.tokens.entries()) {
      const last = token.type === "heading_open" ? state.tokens[index + 1]?.children?.at(-1) : undefined;
      if (last?.type !== "text") continue;
      const { text, stated } = splitStatedAnchor(last.content);
      if (stated === undefined) continue;
      last.content = text;
      token.attrSet("id", stated);
    }
  });
}
