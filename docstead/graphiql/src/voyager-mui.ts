// Stands in for the index of @mui/material, see vite.config.ts.
export { default as SvgIcon } from '@mui/material/SvgIcon';
export { default as Typography } from '@mui/material/Typography';
