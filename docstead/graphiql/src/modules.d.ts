// Modules that bring no types of their own.
declare module 'monaco-editor/esm/vs/*';
declare module '@mui/material/SvgIcon';
declare module '@mui/material/Typography';
