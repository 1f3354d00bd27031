import { mount } from 'svelte';
import App from './App.svelte';
import { listen } from './lib/router.svelte';
import { speak } from './lib/words.svelte';
import './theme.css';

listen();
void speak().then(() => mount(App, { target: document.getElementById('page')! }));
if (import.meta.env.PROD && 'serviceWorker' in navigator) void navigator.serviceWorker.register('/sw.js');
