import { cruise, type IForbiddenRuleType } from "dependency-cruiser";
import type { Borders } from "./borders.js";

export interface ImportProblem {
  readonly rule: string;
  readonly from: string;
  readonly to: string;
  /** The files of the circle after `from`, from `to` back to `from`. Empty when the import crosses a border. */
  readonly circle: readonly string[];
}

export interface Checked {
  readonly files: number;
  readonly problems: readonly ImportProblem[];
}

/** Searches the folders below `root` for circles and for imports over a border. Imports of types count like all others. */
export async function checkImports(
  root: string,
  folders: readonly string[],
  borders: readonly Borders[],
): Promise<Checked> {
  const { output } = await cruise([...folders], {
    baseDir: root,
    validate: true,
    ruleSet: { forbidden: [noCircle, ...borders.flatMap(borderRules)] },
    tsPreCompilationDeps: true,
    moduleSystems: ["es6"],
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^|/)(node_modules|dist|fixtures)/" },
  });
  if (typeof output === "string") throw new Error(output);
  const { totalCruised, violations } = output.summary;
  const problems = violations.map(({ rule, from, to, cycle = [] }) => ({
    rule: rule.name,
    from,
    to,
    circle: cycle.map(({ name }) => name),
  }));
  return { files: totalCruised, problems: oncePerCircle(problems) };
}

/** One line, and the way around a circle. */
export function printProblem({ rule, from, to, circle }: ImportProblem): string {
  return circle.length > 0 ? `${rule}  ${[from, ...circle].join("\n  -> ")}` : `${rule}  ${from}\n  -> ${to}`;
}

const noCircle: IForbiddenRuleType = {
  name: "import-circle",
  severity: "error",
  from: {},
  to: { circular: true },
};

function borderRules({ root, folders }: Borders): readonly IForbiddenRuleType[] {
  return Object.entries(folders).map(([folder, allowed]) => ({
    name: `border-of-${folder}`,
    severity: "error",
    from: { path: `^${root}/${pattern(folder)}` },
    to: { path: `^${root}/`, pathNot: `^${root}/(?:${[folder, ...allowed].map(pattern).join("|")})` },
  }));
}

/** Matches the file, or every file of the folder. */
function pattern(name: string): string {
  return name.includes(".") ? `${name.replaceAll(".", "\\.")}$` : `${name}/`;
}

/** A circle is found from each of its files. */
function oncePerCircle(problems: readonly ImportProblem[]): readonly ImportProblem[] {
  const seen = new Set<string>();
  return problems.filter(({ circle }) => {
    if (circle.length === 0) return true;
    const key = circle.toSorted().join("\n");
    return !seen.has(key) && seen.add(key);
  });
}
