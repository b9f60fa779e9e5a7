import type { McpUiHostContext } from "@mcpwright/protocol/extensions/apps";
import { pageWindow, type PageDocument } from "./page.js";

const fontsId = "mcp-host-fonts";

/**
 * Makes the page look like its host: sets the attribute `data-theme` and the property `color-scheme` of the root element, the CSS
 * variables of the host, and its fonts. Members that the context lacks change nothing.
 * @param context of the host, or the members of it that have changed
 * @param document Default: that of the page
 * @example
 * ```ts
 * const app = new App(info, { onContextChange: applyHostStyles });
 * await app.connect();
 * applyHostStyles(app.hostContext);
 * ```
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx
 */
export function applyHostStyles({ theme, styles }: McpUiHostContext, document: object = pageWindow().document): void {
  const page = document as PageDocument;
  const { documentElement: root } = page;
  if (theme) {
    root.setAttribute("data-theme", theme);
    root.style.setProperty("color-scheme", theme);
  }
  const variables: Readonly<Record<string, string>> = { ...styles?.variables };
  for (const [name, value] of Object.entries(variables)) root.style.setProperty(name, value);
  const fonts = styles?.css?.fonts;
  if (fonts === undefined) return;
  let sheet = page.getElementById(fontsId) as ReturnType<PageDocument["createElement"]> | null;
  if (!sheet) {
    sheet = page.createElement("style");
    sheet.id = fontsId;
    page.head.append(sheet);
  }
  sheet.textContent = fonts;
}
