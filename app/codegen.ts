import type { CodegenConfig } from '@graphql-codegen/cli';

/** Types of the operations in `src`, from the committed schema; what no operation uses is left out. */
const config: CodegenConfig = {
  schema: '../schema/schema.graphql',
  documents: ['src/**/*.{ts,tsx}', '!src/graph/generated/**'],
  generates: {
    'src/graph/generated/': {
      preset: 'client',
      presetConfig: { fragmentMasking: false },
      config: {
        onlyOperationTypes: true,
        useTypeImports: true,
        enumsAsTypes: true,
        scalars: { JSONObject: 'Record<string, unknown>', DateTime: 'string', URL: 'string' },
      },
    },
  },
};

export default config;
