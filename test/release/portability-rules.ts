/** Code that works on Linux and not on every other system. Only code that runs on machines of users and contributors is searched. */
export interface PortabilityRule {
  readonly id: string;
  readonly pattern: RegExp;
  readonly remedy: string;
  /** A line that the rule finds. */
  readonly wrong: string;
  /** A line that looks similar and is right. */
  readonly right: string;
}

const program = String.raw`(?:npm|npx|pnpm|pnpx|yarn|tsc|tsx|vitest|eslint|prettier|publint|attw)`;

export const rules: readonly PortabilityRule[] = [
  {
    id: "url-pathname",
    pattern: /new URL\((?:[^()]|\([^()]*\))*import\.meta\.url\)\.pathname/,
    remedy: "Windows gets /C:/…: use fileURLToPath, or import.meta.dirname.",
    wrong: 'readFileSync(new URL("./a.txt", import.meta.url).pathname)',
    right: 'readFileSync(new URL("./a.txt", import.meta.url))',
  },
  {
    id: "home",
    pattern: /\benv(?:\.|\["|\?\.\["?)(?:HOME|TMPDIR|USER)\b/,
    remedy: "Windows has other variables: use homedir() or tmpdir() of node:os.",
    wrong: 'join(process.env["HOME"] ?? "", ".config")',
    right: 'join(homedir(), ".config")',
  },
  {
    id: "tmp",
    pattern: /["'`]\/tmp\b/,
    remedy: "Use tmpdir() of node:os.",
    wrong: 'mkdtempSync("/tmp/a-")',
    right: 'mkdtempSync(join(tmpdir(), "a-"))',
  },
  {
    id: "joined-path",
    pattern:
      /(?<!\\)\$\{(?:import\.meta\.dirname|tmpdir\(\)|homedir\(\)|process\.cwd\(\)|__dirname)\}\/|(?:\bdirname|\btmpdir\(\)|\bhomedir\(\)|\bcwd\(\)) \+ ["'`]\//,
    remedy: "Use join of node:path.",
    wrong: "readFileSync(`${import.meta.dirname}/a.txt`)",
    right: 'readFileSync(join(import.meta.dirname, "a.txt")); `\\${__dirname}/a`',
  },
  {
    id: "imported-path",
    pattern: /\bimport\((?:join|resolve)\(/,
    remedy: "Windows reads C: as a scheme: import pathToFileURL(path).href.",
    wrong: 'await import(join(folder, "a.js"))',
    right: 'await import(pathToFileURL(join(folder, "a.js")).href)',
  },
  {
    id: "script-as-program",
    pattern: new RegExp(
      String.raw`\b(?:spawn|spawnSync|execFile|execFileSync|promisify\(execFile\))\(\s*["']${program}(?:\.cmd)?["']`,
    ),
    remedy:
      "On Windows these are scripts, which Node does not start without a shell: use npmCommand or toolCommand of scripts/npm.ts.",
    wrong: 'execFileSync("npm", ["ci"])',
    right: 'execFileSync(...npmCommand(["ci"]))',
  },
  {
    id: "separator-of-path-variable",
    pattern: /\benv\["PATH"\][^;\n]*\.split\(["']:["']\)|`\$\{[^}`]*\}:\$\{[^}`]*env\["PATH"\]/,
    remedy: "Use delimiter of node:path.",
    wrong: '(process.env["PATH"] ?? "").split(":")',
    right: '(process.env["PATH"] ?? "").split(delimiter)',
  },
];

/** What shells of Windows do not understand in a script of package.json. */
export const shellOnly: readonly (readonly [id: string, pattern: RegExp, wrong: string, right: string])[] = [
  ["a variable before a command", /(?:^|&& *|\|\| *)\w+=\S* /, "CI=1 vitest run", "vitest run --mode=ci x"],
  [
    "a command of POSIX",
    /(?:^|&& *|\|\| *|; *)(?:rm|cp|mv|cat|touch|chmod|export|mkdir -p|ls|sed|grep) /,
    "rm -rf dist",
    "node rm.js",
  ],
  ["single quotes", /'/, "prettier --check 'src/**'", 'prettier --check "src/**"'],
  ["an expansion", /\$[\w({]|`/, "echo $HOME", "echo home"],
  ["a semicolon", /;/, "a; b", "a && b"],
  ["a job in the background", /(?<!&)&(?!&)/, "a & b", "a && b"],
];
