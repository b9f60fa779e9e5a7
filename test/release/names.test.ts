import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const folder = new URL("../../runtime/", import.meta.url);
const { exports } = JSON.parse(readFileSync(new URL("package.json", folder), "utf8")) as {
  readonly exports: Readonly<Record<string, { readonly default: string } | string>>;
};
const entries = Object.values(exports).flatMap((target) => (typeof target === "string" ? [] : [target.default]));

test.each(entries)("classes of %s have the names of their exports", async (entry) => {
  const module = (await import(/* @vite-ignore */ new URL(entry, folder).href)) as Readonly<Record<string, unknown>>;
  const classes = Object.entries(module).filter(([name, value]) => typeof value === "function" && /^[A-Z]/.test(name));
  expect(classes.map(([, value]) => (value as { readonly name: string }).name)).toEqual(classes.map(([name]) => name));
});
