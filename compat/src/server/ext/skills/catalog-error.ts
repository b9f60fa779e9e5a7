import type { SkillWarning } from "./options.js";

type Constructor = abstract new (...args: never[]) => unknown;

/** Skills cannot be loaded: their storage fails, or with the option `strict`, a skill is invalid. */
export class SkillCatalogError extends Error {
  override name = "SkillCatalogError";

  constructor(readonly problems: readonly SkillWarning[]) {
    const lines = problems.map(({ path, message }) => `\n  ${path}: ${message}`);
    super(`${problems.length} skill problem${problems.length === 1 ? "" : "s"}:${lines.join("")}`);
  }

  static isInstance<Class extends Constructor>(this: Class, value: unknown): value is InstanceType<Class> {
    return value instanceof this;
  }
}
