import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** One public module of a package: the absolute paths of its source and of its bundle. */
export interface Entry {
  readonly source: string;
  readonly output: string;
  readonly executable: boolean;
}

interface Manifest {
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly bin?: Readonly<Record<string, string>>;
}

/** The entries in `exports` and `bin` of a package. `./dist/<name>.js` is built from `<sources>/<name>.ts`. */
export function entriesOf(folder: string, sources: string): Entry[] {
  const file = join(folder, "package.json");
  const { exports = {}, bin = {} } = JSON.parse(readFileSync(file, "utf8")) as Manifest;

  const entry = (target: string | undefined, executable: boolean): Entry => {
    const name = target && /^\.\/dist\/(.+)\.js$/.exec(target)?.[1];
    if (!name) throw new Error(`${file}: an entry must be ./dist/<name>.js, not ${String(target)}`);
    return { source: resolve(sources, `${name}.ts`), output: resolve(folder, `dist/${name}.js`), executable };
  };
  const modules = Object.entries(exports).filter(([subpath]) => subpath !== "./package.json");
  if (modules.length === 0) throw new Error(`${file}: nothing is exported; is the package generated?`);
  const all = [
    ...modules.map(([, target]) => entry(typeof target === "string" ? target : target["default"], false)),
    ...Object.values(bin).map((target) => entry(target, true)),
  ];
  // A module can have several subpaths.
  return [...new Map(all.map((one) => [one.output, one])).values()];
}
