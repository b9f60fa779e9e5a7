import { writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { renderProject } from "../../../../../generator/commands/new/render-project.js";
import { sandbox } from "../../../shared/files/sandbox.js";
import { describing, type Json, operation } from "./descriptions.js";

const texts = [
  "*/ INJECTED(); /*",
  "`${INJECTED()}`",
  "${INJECTED()}",
  '"); INJECTED(); ("',
  "'); INJECTED(); ('",
  "\nINJECTED();\n",
  "\r\nINJECTED();",
  "\u2028INJECTED();\u2029",
  '\\"; INJECTED(); //',
  "{{INJECTED}}",
  "constructor",
  "__proto__",
];

/** A description in which each text that its author chooses is hostile. */
function hostile(text: string): Json {
  const schema = {
    type: "object",
    description: text,
    required: [text],
    properties: { [text]: { enum: [text, "b"], default: text, description: text } },
  };
  const own = operation({
    operationId: `a${text}`,
    summary: text,
    description: text,
    tags: [text],
    parameters: [
      {
        name: `q${text}`,
        in: "query",
        description: text,
        schema: { type: "string", pattern: text, default: text, format: text },
      },
    ],
    requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Evil" } } } },
    responses: { "200": { description: text, content: { "application/json": { schema } } } },
  });
  const path = `/${text.replace(/[{}]/g, "")}`;
  return describing(
    { [path]: { post: own } },
    {
      info: { title: text, version: text, description: text },
      servers: [{ url: `https://api.example.com/${text}` }],
      security: [{ Scheme: [] }],
      components: {
        schemas: { Evil: schema },
        securitySchemes: { Scheme: { type: "apiKey", in: "header", name: "X-Key", description: text } },
      },
    },
  );
}

test.each(texts)("%j stays a text", async (text) => {
  const folder = sandbox();
  const source = join(folder, "api.json");
  writeFileSync(source, JSON.stringify(hostile(text)));
  const project = { start: "openapi", name: "x", openapi: { source, limit: 10 } } as const;
  const files = await renderProject(project);
  for (const [path, content] of files) {
    if (path === ".env.example") for (const line of content.split("\n")) expect(line).toMatch(/^$|^#|^[A-Z_]+=/);
    if (!path.endsWith(".ts")) continue;
    const parsed = ts.createSourceFile(path, content, ts.ScriptTarget.Latest, true);
    expect((parsed as unknown as { parseDiagnostics: unknown[] }).parseDiagnostics, path).toEqual([]);
    const visit = (node: ts.Node): void => {
      expect(ts.isIdentifier(node) && node.text === "INJECTED", path).toBe(false);
      ts.forEachChild(node, visit);
    };
    visit(parsed);
  }
  expect([...files.keys()].every((path) => /^[\w./-]+$/.test(path))).toBe(true);
});
