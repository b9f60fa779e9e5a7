import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bundleSize } from "../../scripts/size/bundle.js";
import { programs } from "../../scripts/size/programs.js";
import { root } from "../../scripts/size/source.js";

/** The modules of authorization, as published and as written. */
const authorization =
  /^runtime\/(dist|src)\/auth[./-]|^generated\/(dist\/)?authorization|node_modules\/(jose|oauth4webapi)\//;

/** The modules of telemetry. */
const telemetry = /^runtime\/(dist|src)\/otel[./]|node_modules\/@opentelemetry\//;

test.each(Object.values(programs))("$name: at most $most bytes, gzipped", async ({ text, most }) => {
  const { gzipped, modules } = await bundleSize(text, root);
  expect(gzipped).toBeGreaterThan(most / 2);
  expect(gzipped).toBeLessThanOrEqual(most);
  expect(modules.some((path) => authorization.test(path))).toBe(text.includes("@mcpwright/runtime/auth"));
});

test("the page of an app contains nothing of clients and servers", async () => {
  const { modules } = await bundleSize(programs.appPage.text, root);
  expect(modules).toContain("runtime/dist/apps/app.js");
  expect(modules.filter((path) => /^runtime\/dist\/(?!apps\/(app|bridge\/.*)\.js$|shared\.js$)/.test(path))).toEqual(
    [],
  );
});

test("programs that do not import /auth, /gateway/log-in or /otel contain nothing of them", async () => {
  const { exports } = JSON.parse(readFileSync(join(root, "runtime/package.json"), "utf8")) as {
    readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
  };
  const sources = Object.values(exports).flatMap((target) =>
    typeof target === "string" ? [] : [target.default.replace("/dist/", "/runtime/src/").replace(/\.js$/, ".ts")],
  );
  const others = sources.filter((source) => !/\/src\/(otel|gateway\/log-in|auth(-\w+)?(\/\w+)?)\.ts$/.test(source));
  expect(sources.length - others.length).toBe(7);
  // The published modules are bundles themselves, so the sources are bundled here.
  const program = others.map((source, index) => `export * as entry${index} from "${source}";`).join("\n");
  const { modules } = await bundleSize(program, root);
  expect(modules).toContain("runtime/src/http-client/authorizer.ts");
  expect(modules.filter((path) => authorization.test(path) || telemetry.test(path))).toEqual([]);
});
