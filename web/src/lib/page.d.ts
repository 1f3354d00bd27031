declare const __PAGE__: string;
