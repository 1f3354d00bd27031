import { mount } from 'svelte';
import App from './App.svelte';
import { startRouter } from './lib/router.svelte';
import { loadTranslations } from './lib/i18n.svelte';
import './theme.css';

startRouter();
void loadTranslations().then(() => mount(App, { target: document.getElementById('page')! }));
if (import.meta.env.PROD && 'serviceWorker' in navigator) void navigator.serviceWorker.register('/sw.js');
