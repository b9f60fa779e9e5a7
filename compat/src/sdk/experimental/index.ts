export * from "./tasks/index.js";
