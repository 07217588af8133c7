import js from '@eslint/js'
import prettier from 'eslint-config-prettier'
import svelte from 'eslint-plugin-svelte'
import globals from 'globals'
import ts from 'typescript-eslint'

export default ts.config(
  { ignores: ['node_modules'] },
  js.configs.recommended,
  ...ts.configs.recommended,
  ...svelte.configs.recommended,
  prettier,
  ...svelte.configs.prettier,
  { languageOptions: { globals: { ...globals.browser, ...globals.node } } },
  { files: ['**/*.svelte', '**/*.svelte.ts'], languageOptions: { parserOptions: { parser: ts.parser } } },
  {
    rules: {
      'no-undef': 'off', // TypeScript knows better
      'svelte/prefer-svelte-reactivity': 'off', // sets and maps that nothing on the page follows
      'svelte/no-unused-svelte-ignore': 'off', // svelte-check tells, which knows all warnings
    },
  },
  { files: ['src/games/contract.ts', 'src/table/Travellers.svelte'], rules: { '@typescript-eslint/no-explicit-any': 'off' } },
)
