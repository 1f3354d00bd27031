/// <reference types="svelte" />
/// <reference types="vite/client" />

declare const __PAGE__: string; // the hash of the sources of this build, 'dev' in development
