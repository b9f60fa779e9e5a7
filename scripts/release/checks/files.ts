import { defect, type Finding } from "../finding.js";
import { manifestPath, type Package } from "../manifest.js";

/** A file of a tarball. */
export interface PackedFile {
  /** From the package's folder, with `/`. */
  readonly path: string;
  readonly text: string;
}

const everywhere = [/^package\.json$/, /^README(\.zh-CN)?\.md$/, /^LICENSE$/, /^dist\/.+\.(js|d\.ts)$/];

/** What else a package has, by its folder; anything that nobody listed is a finding. */
const further: Readonly<Record<string, readonly RegExp[]>> = {
  generated: [],
  runtime: [],
  // The generator's stack traces lead to its sources; the two libraries do without maps, which would be most of what users install.
  ".": [
    /^dist\/.+\.js\.map$/,
    /^generated\/\d{4}-\d{2}-\d{2}\/(corpus|model|schema)\.json$/,
    /^generator\/overlay\/conversions\/[\w-]+\.ts$/,
    /^schema\/[\w-]+\.json$/,
    /^schema\/\d{4}-\d{2}-\d{2}\/(schema\.ts|schema\.json|overlay\.json)$/,
    /^templates\/.+$/,
  ],
};

/** Templates of tests are for projects that users begin with. */
const tests = /^(?!templates\/).*((^|\/)(tests?|__tests__|fixtures)\/|\.(test|spec)\.)/;

/** The tarball has what a package needs, nothing that is not for users, and no path of the machine that made it. */
export function fileFindings(
  of: Package,
  files: readonly PackedFile[],
  machinePaths: readonly string[],
): readonly Finding[] {
  const tarball = `the tarball of ${of.manifest.name}`;
  const allowed = [...everywhere, ...(further[of.folder] ?? [])];
  const paths = new Set(files.map(({ path }) => path));
  const missing = ["package.json", "README.md", "LICENSE", ...targetsOf(of)].filter((path) => !paths.has(path));
  return [
    ...missing.map((path) =>
      defect(tarball, `lacks ${path}`, `Build again, and look at "files" of ${manifestPath(of)}.`),
    ),
    ...files.flatMap(({ path, text }) => [
      ...(tests.test(path) || !allowed.some((pattern) => pattern.test(path))
        ? [
            defect(
              tarball,
              `holds ${path}`,
              `Leave it out of "files" of ${manifestPath(of)}; or list it in scripts/release/checks/files.ts.`,
            ),
          ]
        : []),
      ...machinePaths
        .filter((machinePath) => text.includes(machinePath))
        .map((machinePath) =>
          defect(tarball, `${path} names ${machinePath}`, "A path of this machine has no meaning on another."),
        ),
      ...(path === "LICENSE" && !/^MIT License\s/.test(text)
        ? [defect(tarball, "LICENSE does not begin with its name, MIT License", "Put the licence's own text there.")]
        : []),
    ]),
  ];
}

/** The files that `exports` leads to. */
function targetsOf({ manifest }: Package): readonly string[] {
  const walk = (target: unknown): readonly string[] =>
    typeof target === "string" ? [target.replace(/^\.\//, "")] : Object.values(target ?? {}).flatMap(walk);
  return walk(manifest.exports);
}
