import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type Handlebars from "handlebars";

export type Render = (template: string, view: object) => string;

/**
 * RENDER: handlebars with the file shells and tables of `templates/`. Views contain only checked code, so nothing is
 * escaped; a name that a view does not have is an error.
 */
export async function createRenderer(folder: string): Promise<Render> {
  const { default: handlebars } = await import("handlebars");
  const environment: typeof Handlebars = handlebars.create();
  const compiled = new Map(
    templateFiles(folder).map((name) => {
      const template = environment.compile(readFileSync(join(folder, name), "utf8").replaceAll("\r\n", "\n"), {
        strict: true,
        noEscape: true,
        knownHelpersOnly: true,
        knownHelpers: { lookup: false, with: false, log: false },
      });
      return [name.replace(/\.hbs$/, ""), template] as const;
    }),
  );
  return (template, view) => {
    const render = compiled.get(template);
    if (!render) throw new Error(`no template ${template}`);
    return render(view);
  };
}

/** Paths of all templates, sorted, with forward slashes. */
export function templateFiles(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) =>
      entry.isDirectory() ? readdirSync(join(folder, entry.name)).map((name) => `${entry.name}/${name}`) : [entry.name],
    )
    .filter((name) => name.endsWith(".hbs"))
    .sort();
}
