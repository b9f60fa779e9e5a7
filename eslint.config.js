import { builtinModules } from "node:module";
import eslint from "@eslint/js";
import { defineConfig, globalIgnores } from "eslint/config";
import tseslint from "typescript-eslint";

/** Forbids modules by their specifier, in static and in dynamic imports. */
function noImports(...bans) {
  return {
    "no-restricted-imports": [
      "error",
      { patterns: bans.map(({ modules, message }) => ({ regex: modules.source, message })) },
    ],
    "no-restricted-syntax": [
      "error",
      ...bans.map(({ modules, message }) => ({
        selector: `:matches(ImportExpression, TSImportType) Literal[value=${modules}]`,
        message,
      })),
    ],
  };
}

const fromPackages = {
  modules: /^@mcpwright\/|^(\.\.?\/)+(generated|runtime)\//,
  message:
    "The generator runs before its output exists: only the parts that are loaded when a verb needs them import from generated/ or runtime/.",
};
const oneWay = "Imports in the generator point one way: cli -> commands -> pipeline -> shared.";
const aboveShared = { modules: /^(\.\.\/)+(cli|commands|pipeline)\//, message: oneWay };
const abovePipeline = { modules: /^(\.\.\/)+(cli|commands)\//, message: oneWay };
const aboveCommands = { modules: /^(\.\.\/)+cli\//, message: oneWay };
const fromGenerator = {
  modules: /^(mcpwright|ts-morph|handlebars|prettier|yargs)(\/|$)|^(\.\.?\/)+generator\//,
  message: "The runtime must not import the generator or its dependencies.",
};
const fromRevision = {
  modules: /^@mcpwright\/protocol\/20|^(\.\.?\/)+generated\//,
  message: "A revision is passed as a value; import its type from @mcpwright/protocol/contract.",
};
const fromNode = {
  modules: new RegExp(`^node:|^(${builtinModules.join("|")})$`),
  message:
    "Only runtime/src/stdio*, node*, auth-node*, auth-proxy*, skills/node*, sqlite, express and fastify may need Node; the rest runs on web-standard hosts.",
};

const revisionId = "/^\\d{4}-\\d{2}-\\d{2}$/";
const quotedRevision = {
  selector: `:matches(Literal[value=${revisionId}], TemplateElement[value.raw=${revisionId}])`,
  message: "Hand-written code never quotes a revision: read a field of its profile.",
};

const method =
  "/^(initialize|ping|(completion|elicitation|logging|notifications|prompts|resources|roots|sampling|server|skills|subscriptions|tasks|tools)\\u002f[a-z].*)$/";
const quotedMethod = {
  selector: `:matches(Literal[value=${method}], TemplateElement[value.raw=${method}])`,
  message: "Hand-written code never quotes a method: import its name from @mcpwright/protocol/names.",
};

const memberFunction = {
  selector:
    ":function AssignmentExpression[left.type='MemberExpression'] > :matches(ArrowFunctionExpression, FunctionExpression)",
  message:
    "V8 puts a function that is assigned to a member right where it is written among the old objects, where it keeps all it refers to from being collected young: pass it to a function, or assign an object.",
};

const clock = "/^(Date|performance|Math|crypto)$/";
const reading = "/^(now|timeOrigin|random|getRandomValues|randomUUID|subtle)$/";
/**
 * Time and random numbers come from the globals of the Web platform, and from nowhere else: simulations replace them. Modules for Node are
 * exceptions (they import `node:crypto`, for example), because simulations run without sockets, processes and files.
 */
const replaceable = [
  {
    selector: `:matches(MemberExpression[object.name=${clock}][property.name=${reading}], Identifier[name=/^(setTimeout|setInterval|queueMicrotask)$/]):not(:function *):not(PropertyDefinition *):not(TSTypeQuery *):not(ImportSpecifier *)`,
    message: "Simulations replace the globals for time and randomness: use them when they are needed, not at import.",
  },
  {
    selector: "NewExpression[callee.name='Date'][arguments.length=0]",
    message: "Simulations do not replace this constructor: use Date.now().",
  },
];

function testKitRules(...bans) {
  const rules = noImports(fromGenerator, ...bans);
  return { ...rules, "no-restricted-syntax": [...rules["no-restricted-syntax"], quotedRevision, quotedMethod] };
}

function runtimeRules(...bans) {
  const rules = testKitRules(...bans);
  return { ...rules, "no-restricted-syntax": [...rules["no-restricted-syntax"], memberFunction, ...replaceable] };
}

export default defineConfig(
  globalIgnores([
    "**/dist/",
    "**/coverage/",
    "generated/",
    "compat/src/types/*-{messages,oauth,schemas,shapes}.ts",
    "bench/",
    "test/interop/",
    "test/**/fixtures/",
    // They import modules that only the generator finds.
    "schema/extensions/",
  ]),
  eslint.configs.recommended,
  {
    files: ["**/*.ts"],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/consistent-type-exports": "error",
      "@typescript-eslint/consistent-type-imports": ["error", { fixStyle: "inline-type-imports" }],
      "@typescript-eslint/no-confusing-void-expression": [
        "error",
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      "@typescript-eslint/no-import-type-side-effects": "error",
      // Reports every type guard of ts-morph as an assignment of another class.
      "@typescript-eslint/no-unsafe-class-instance-assignment": "off",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
    },
  },
  { rules: { eqeqeq: "error", "no-console": "error" } },

  { files: ["generator/**/*.ts"], rules: noImports(fromPackages) },
  { files: ["generator/shared/**/*.ts"], rules: noImports(fromPackages, aboveShared) },
  { files: ["generator/pipeline/**/*.ts"], rules: noImports(fromPackages, abovePipeline) },
  { files: ["generator/commands/**/*.ts"], rules: noImports(fromPackages, aboveCommands) },
  // The verbs and the functions of the same names import it dynamically, so that it loads only when it is needed.
  { files: ["generator/shared/{loopback,sessions}/**/*.ts"], rules: noImports(aboveShared) },
  {
    // The command line also reaches servers of the oldest revision.
    files: ["generator/commands/gateway/configure-server.ts", "generator/shared/sessions/open-session.ts"],
    rules: {
      "@typescript-eslint/no-deprecated": ["error", { allow: [{ from: "file", name: "SSEClientTransport" }] }],
    },
  },
  {
    files: [
      "generator/commands/{bind,bundle,dev,gateway,inspect,login,logout,manifest,validate}/!(bind|bundle|command|dev|gateway|inspect|login|logout|manifest|validate).ts",
      "generator/commands/gateway/lock/!(command).ts",
      "generator/commands/gateway/{audit,authorization,log-in}/*.ts",
      "generator/commands/dev/page/**/*.ts",
      "generator/commands/inspect/{app,losses}/**/*.ts",
    ],
    rules: noImports(aboveCommands),
  },
  {
    // The example shows every feature, also deprecated ones.
    files: ["examples/notes/**/*.ts"],
    rules: { "@typescript-eslint/no-deprecated": "off" },
  },
  {
    files: ["examples/**/*.ts", "generator/cli.ts", "generator/cli/**/*.ts", "scripts/**/*.ts"],
    rules: { "no-console": "off" },
  },

  {
    files: ["runtime/**/*.ts"],
    rules: {
      ...runtimeRules(fromRevision, fromNode),
      // Features that a revision deprecates must still work.
      "@typescript-eslint/no-deprecated": "off",
      "no-restricted-properties": [
        "error",
        { object: "URL", property: "canParse", message: "In Node 20, it rejects some hosts: call parseUrl." },
      ],
      "no-restricted-globals": [
        "error",
        "Buffer",
        "__dirname",
        "__filename",
        "global",
        "process",
        "require",
        "setImmediate",
      ],
    },
  },
  {
    files: [
      "runtime/src/{stdio,node,auth-node,auth-proxy,sqlite}*",
      "runtime/src/{stdio,node,auth-node,auth-proxy,sqlite}*/**",
      "runtime/src/skills/node*",
      "runtime/src/skills/node/**",
      "runtime/src/frameworks/{express,fastify}.ts",
    ],
    rules: { ...runtimeRules(fromRevision), "no-restricted-globals": "off" },
  },
  { files: ["runtime/src/testing/**/*.ts"], rules: testKitRules(fromRevision, fromNode) },
  // The only file that names the revision whose types authors use.
  { files: ["runtime/src/authoring.ts"], rules: runtimeRules(fromNode) },

  {
    // The API of the official SDK uses the public API of the runtime, and names revisions and methods as that API does.
    files: ["compat/**/*.ts"],
    rules: { ...noImports(fromGenerator), "@typescript-eslint/no-deprecated": "off" },
  },

  // Features that a revision deprecates must still work.
  { files: ["test/**/*.ts"], rules: { "@typescript-eslint/no-deprecated": "off" } },
  {
    // The facts keep the shapes of the published schema, which the reader must understand.
    files: ["schema/*/schema.ts"],
    rules: {
      "@typescript-eslint/array-type": "off",
      "@typescript-eslint/consistent-indexed-object-style": "off",
      "@typescript-eslint/consistent-type-definitions": "off",
      "@typescript-eslint/no-deprecated": "off",
      "@typescript-eslint/no-empty-object-type": "off",
      "@typescript-eslint/no-explicit-any": "off",
      "@typescript-eslint/no-redundant-type-constituents": "off",
    },
  },
);
