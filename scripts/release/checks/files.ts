import { defect, type Finding } from "../finding.js";
import { isAlias, manifestPath, type Package } from "../manifest.js";

/** A file of a tarball. */
export interface PackedFile {
  /** Relative to the package's folder, with `/`. */
  readonly path: string;
  readonly text: string;
}

const everywhere = [/^package\.json$/, /^README(\.zh-CN)?\.md$/, /^LICENSE$/, /^dist\/.+\.(js|d\.ts)$/];

/** The other files that a package may contain, by its folder. A file that is not listed is a finding. */
const further: Readonly<Record<string, readonly RegExp[]>> = {
  generated: [],
  // The API for models that write code.
  runtime: [/^dist\/llms(\/[\w-]+)?\.txt$/],
  compat: [/^dist\/.+\.js\.map$/],
  // Source maps lead from the generator's stack traces to its sources. The libraries have none: maps would be most of their size.
  ".": [
    /^dist\/.+\.js\.map$/,
    /^docs\/reference\/gateway\.schema\.json$/,
    /^generated\/(\d{4}-\d{2}-\d{2}|extensions\/[\w-]+)\/(corpus|model|schema)\.json$/,
    /^generator\/pipeline\/conversions\/functions\/[\w-]+\.ts$/,
    /^schema\/[\w-]+\.json$/,
    /^schema\/\d{4}-\d{2}-\d{2}\/(schema\.ts|schema\.json|overlay\.json)$/,
    /^schema\/extensions\/(pins\.json|[\w-]+\/[\w-]+\/(schema\.ts|overlay\.json))$/,
    /^templates\/.+$/,
  ],
};

/** Aliases contain a file per entry, which re-exports it. */
const ofAliases = [/\.(js|d\.ts)$/];

/** Templates of tests are part of the projects that users create. */
const tests = /^(?!templates\/).*((^|\/)(tests?|__tests__|fixtures)\/|\.(test|spec)\.)/;

/** Checks that a tarball has the files that a package needs, no others, and no path of the machine that packed it. */
export function fileFindings(
  of: Package,
  files: readonly PackedFile[],
  machinePaths: readonly string[],
): readonly Finding[] {
  const tarball = `the tarball of ${of.manifest.name}`;
  const allowed = [...everywhere, ...(isAlias(of) ? ofAliases : (further[of.folder] ?? []))];
  const paths = new Set(files.map(({ path }) => path));
  const missing = ["package.json", "README.md", "LICENSE", ...targetsOf(of)].filter((path) => !paths.has(path));
  return [
    ...missing.map((path) =>
      defect(tarball, `lacks ${path}`, `Build again, and check "files" of ${manifestPath(of)}.`),
    ),
    ...files.flatMap(({ path, text }) => [
      ...(tests.test(path) || !allowed.some((pattern) => pattern.test(path))
        ? [
            defect(
              tarball,
              `contains ${path}`,
              `Remove it from "files" of ${manifestPath(of)}, or list it in scripts/release/checks/files.ts.`,
            ),
          ]
        : []),
      ...machinePaths
        .filter((machinePath) => text.includes(machinePath))
        .map((machinePath) => defect(tarball, `${path} contains ${machinePath}`, "Remove the path of this machine.")),
      ...(path === "LICENSE" && !/^MIT License\s/.test(text)
        ? [defect(tarball, 'LICENSE does not start with "MIT License"', "Write the text of the licence to it.")]
        : []),
    ]),
  ];
}

/** The files in `exports`. */
function targetsOf({ manifest }: Package): readonly string[] {
  const walk = (target: unknown): readonly string[] =>
    typeof target === "string" ? [target.replace(/^\.\//, "")] : Object.values(target ?? {}).flatMap(walk);
  return walk(manifest.exports);
}
