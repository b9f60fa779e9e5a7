import { defineConfig } from "vitest/config";

/** Tests that start whole runs of the command line, or compile much. */
const endToEnd = [
  "test/{end-to-end,cli}/**/*.test.ts",
  "test/generator/{compile,conversions,live,new,schema-code,update,vendor}/**/*.test.ts",
];
/** Tests of code that keeps nothing between calls: files share a process and what it has loaded, the compiler above all. */
const sharing = ["test/{generated,generator,release,schema,size}/**/*.test.ts"];
const never = ["**/node_modules/**", "**/fixtures/**"];

export default defineConfig({
  test: {
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: { name: "sharing", include: sharing, exclude: [...endToEnd, ...never], isolate: false },
      },
      {
        extends: true,
        test: { name: "apart", include: ["test/**/*.test.ts"], exclude: [...endToEnd, ...sharing, ...never] },
      },
      { extends: true, test: { name: "end to end", include: endToEnd, exclude: never } },
    ],
  },
});
