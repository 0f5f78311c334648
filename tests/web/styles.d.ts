// The page's modules bring their style sheets with them.
declare module '*.css';
