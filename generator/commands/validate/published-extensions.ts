import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Extension } from "@mcpwright/protocol/contract";
import type { ExtensionModel } from "../../shared/model/extension.js";
import { packageRoot } from "../../shared/package-root.js";
import { type ExtensionModules, layered } from "./layered-modules.js";
import { type Checks, factsFrom, loadRevisionModules, type RevisionFacts } from "./revision-facts.js";

/**
 * The facts of a published revision with every extension of the package that is laid over it, so that their messages are known, too.
 * @param revision a published revision
 */
export async function loadFactsWithExtensions(revision: string): Promise<RevisionFacts> {
  const folder = join(packageRoot().folder, "generated", "extensions");
  const names = (await readdir(folder)).toSorted();
  const models = await Promise.all(
    names.map(async (name) => JSON.parse(await readFile(join(folder, name, "model.json"), "utf8")) as ExtensionModel),
  );
  // Messages of roles of their own, such as those between an app and its host, are not in the conversation.
  const fitting = models.filter(({ revisions, roles }) => revisions.includes(revision) && !roles);
  const [modules, ...extensions] = await Promise.all([loadRevisionModules(revision), ...fitting.map(loadModules)]);
  return factsFrom(extensions.reduce(layered, modules));
}

async function loadModules(model: ExtensionModel): Promise<ExtensionModules> {
  const place = `@mcpwright/protocol/extensions/${model.name}`;
  const issues = `${place}/issues`;
  const [exported, checks] = await Promise.all([
    import(place) as Promise<Readonly<Record<string, Extension>>>,
    import(issues) as Promise<Checks>,
  ]);
  const extension = exported[`${model.name}Extension`];
  if (!extension) throw new Error(`the package has no code of the extension ${model.name}`);
  return { extension, checks, model };
}
