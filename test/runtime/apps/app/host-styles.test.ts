import { expect, test } from "vitest";
import { applyHostStyles } from "../../../../runtime/src/apps/app/host-styles.js";

function page() {
  const properties: Record<string, string> = {};
  const attributes: Record<string, string> = {};
  const sheets: { id: string; textContent: string | null }[] = [];
  return {
    properties,
    attributes,
    sheets,
    documentElement: {
      style: { setProperty: (name: string, value: string) => void (properties[name] = value) },
      setAttribute: (name: string, value: string) => void (attributes[name] = value),
    },
    head: { append: (sheet: (typeof sheets)[number]) => void sheets.push(sheet) },
    getElementById: (id: string) => sheets.find((sheet) => sheet.id === id) ?? null,
    createElement: () => ({ id: "", textContent: null }),
  };
}

test("theme, variables and fonts of the host are set on the page", () => {
  const document = page();
  const fonts = '@font-face { font-family: "Host"; src: url("https://host.example/f.woff2"); }';
  applyHostStyles(
    { theme: "dark", styles: { variables: { "--font-sans": "Host, sans-serif" }, css: { fonts } } },
    document,
  );
  expect(document.attributes).toEqual({ "data-theme": "dark" });
  expect(document.properties).toEqual({ "color-scheme": "dark", "--font-sans": "Host, sans-serif" });
  expect(document.sheets).toEqual([{ id: "mcp-host-fonts", textContent: fonts }]);
  applyHostStyles({ styles: { css: { fonts: "" } } }, document);
  expect(document.sheets).toEqual([{ id: "mcp-host-fonts", textContent: "" }]);
});

test("a context without styles changes nothing", () => {
  const document = page();
  applyHostStyles({ locale: "de-AT" }, document);
  expect([document.attributes, document.properties, document.sheets]).toEqual([{}, {}, []]);
});
