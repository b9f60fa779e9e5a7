export * from "./types/public-schemas.js";
