import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Converter, Renderer } from "typedoc";

/**
 * Leaves message types out of the reference. They are exported so that inferred types can be named, and are documented in the
 * generated code. Corrects links whose anchors count a heading that is not printed.
 * @param {import("typedoc").Application} app
 */
export function load(app) {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const entry of project.children ?? [])
      for (const reflection of [...(entry.children ?? [])])
        if (isMessage(project.getSymbolIdFromReflection(reflection)?.fileName ?? ""))
          project.removeReflection(reflection);
  });
  app.renderer.on(Renderer.EVENT_END, ({ outputDirectory }) => correctAnchors(outputDirectory));
}

/** @param {string} file */
function isMessage(file) {
  return /\/generated\/(dist\/)?\d{4}-|\/authoring\.ts$/.test(file);
}

/** @param {string} folder */
function correctAnchors(folder) {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".md"));
  const texts = new Map(names.map((name) => [join(folder, name), readFileSync(join(folder, name), "utf8")]));
  const anchors = new Map([...texts].map(([file, text]) => [file, anchorsOf(text)]));
  for (const [file, text] of texts) {
    const corrected = text.replace(/(?<=\]\()([^()\s#]*)#([^()\s]+?)-(\d+)(?=\))/g, (link, path, anchor, number) => {
      const there = anchors.get(path === "" ? file : join(dirname(file), path));
      return there?.has(anchor) && !there.has(`${anchor}-${number}`) ? `${path}#${anchor}` : link;
    });
    if (corrected !== text) writeFileSync(file, corrected);
  }
}

/** @param {string} text */
function anchorsOf(text) {
  const anchors = new Set();
  for (const [, heading = ""] of text.matchAll(/^#{1,6} (.+)$/gm)) {
    const slug = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, "")
      .replaceAll(" ", "-");
    let free = slug;
    for (let number = 1; anchors.has(free); number++) free = `${slug}-${number}`;
    anchors.add(free);
  }
  return anchors;
}
