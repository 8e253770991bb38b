import{r as e}from"./rolldown-runtime-XKyaHtl9.js";import{$ as t,B as n,Bn as r,Dt as i,E as a,Fn as o,G as s,In as c,J as l,K as u,L as d,Nn as f,Nt as p,Pn as m,Q as h,Rn as g,Vt as _,Yn as v,Z as y,Zt as b,a as x,cn as S,hr as C,sn as w,t as T,v as E,w as D,zn as O}from"./generated-sRjKKWWG.js";import{d as k,i as A,l as j,n as M,o as N,r as P,t as F}from"./useTextField-0xGfkOwU.js";import{d as I,g as L,p as R}from"./main-BI0HBwRz.js";var z=e(C(),1),B=(0,z.createContext)({}),V=(0,z.createContext)(null),H=b(function(e,t){[e,t]=m(e,t,V);let{validationBehavior:n}=r(N)||{},i=e.validationBehavior??n??`native`,a=(0,z.useRef)(null);[e,a]=m(e,a,S);let[s,l]=c(!e[`aria-label`]&&!e[`aria-labelledby`]),[u,d]=(0,z.useState)(`input`),{labelProps:h,inputProps:v,descriptionProps:y,errorMessageProps:b,...x}=F({...O(e),inputElementType:u,label:l,validationBehavior:i},a),C=(0,z.useCallback)(e=>{a.current=e,e&&d(e instanceof HTMLTextAreaElement?`textarea`:`input`)},[a]),w=o({...e,values:{isDisabled:e.isDisabled||!1,isInvalid:x.isInvalid,isReadOnly:e.isReadOnly||!1,isRequired:e.isRequired||!1},defaultClassName:`react-aria-TextField`}),T=_(e,{global:!0});return delete T.id,z.createElement(g.div,{...T,...w,ref:t,slot:e.slot||void 0,"data-disabled":e.isDisabled||void 0,"data-invalid":x.isInvalid||void 0,"data-readonly":e.isReadOnly||void 0,"data-required":e.isRequired||void 0},z.createElement(f,{values:[[k,{...h,ref:s}],[M,{...v,ref:C}],[B,{...v,ref:C}],[A,{role:`presentation`,isInvalid:x.isInvalid,isDisabled:e.isDisabled||!1}],[p,{slots:{description:y,errorMessage:b}}],[j,x]]},w.children))}),U=a(),W=T(`
  query SearchEverything($organization: ID!, $words: String!) {
    organization(id: $organization) {
      id
      search(first: 10, query: $words) {
        nodes {
          spaceId
          title
          pages(first: 6) {
            nodes { pageId title path description ancestors { pageId title } sections { sectionId title body } }
          }
        }
      }
    }
  }
`),G=T(`
  query SpacesByTitle($organization: ID!, $title: String) {
    organization(id: $organization) {
      id
      spaces(first: 8, title: $title, orderBy: { field: UPDATED_AT, direction: DESC }) {
        nodes { id title }
      }
    }
  }
`),K=120,q=160;function J(e){return e.pages.nodes.map(t=>{let n=[e.title,...t.ancestors.map(e=>e.title)].join(` › `),r=t.sections.map(e=>e.body).find(Boolean)??t.description;return{id:`page:${e.spaceId}:${t.pageId}`,href:d(e.spaceId,t.path),title:t.title,about:r?`${n} · ${r.slice(0,q)}`:n}})}function Y(e){let t=v(),r=I(),[i,a]=(0,z.useState)(null),[o,s]=(0,z.useState)();return(0,z.useEffect)(()=>{let i=!0,o=window.setTimeout(async()=>{let o=await Promise.all(r.organizations.nodes.map(async({id:n})=>{let[r,i]=await Promise.all([t.query(G,{organization:n,title:e||null}).toPromise(),e?t.query(W,{organization:n,words:e}).toPromise():null]);return{spaces:r,pages:i}}));i&&(s(o.map(e=>e.spaces.error??e.pages?.error).find(Boolean)),a({words:e,spaces:o.flatMap(({spaces:e})=>(e.data?.organization?.spaces.nodes??[]).map(e=>({id:`space:${e.id}`,href:n(e.id),title:e.title,about:``}))),pages:o.flatMap(({pages:e})=>(e?.data?.organization?.search.nodes??[]).flatMap(J))}))},e?K:0);return()=>{i=!1,window.clearTimeout(o)}},[t,r,e]),{found:i,error:o}}function X({onClose:e}){let n=D(),[,r]=L(),[a,o]=(0,z.useState)(``),{found:c,error:d}=Y(a.trim()),f=(0,z.useMemo)(()=>[{id:`spaces`,title:n.spaces,hits:c?.spaces??[]},{id:`pages`,title:n.pages,hits:c?.pages??[]}].filter(e=>e.hits.length>0),[c,n]);return(0,U.jsx)(u,{isOpen:!0,isDismissable:!0,onOpenChange:t=>t||e(),className:E.overlay??``,children:(0,U.jsx)(s,{className:`${E.modal} ${E.wide}`,children:(0,U.jsx)(l,{"aria-label":n.searchEverything,className:R.palette??``,children:(0,U.jsxs)(w,{inputValue:a,onInputChange:o,children:[(0,U.jsx)(H,{"aria-label":n.searchEverything,autoFocus:!0,children:(0,U.jsx)(P,{className:R.paletteInput??``,placeholder:n.searchPlaceholder})}),(0,U.jsx)(x,{error:d}),(0,U.jsx)(t,{"aria-label":n.results,className:R.results??``,items:f,onAction:t=>{let n=[...c?.spaces??[],...c?.pages??[]].find(e=>e.id===t);n!==void 0&&(e(),r(n.href))},renderEmptyState:()=>(0,U.jsx)(`p`,{className:R.paletteNote,children:c?.words&&!d?n.nothingFound(c.words):n.searching}),children:e=>(0,U.jsxs)(h,{id:e.id,children:[(0,U.jsx)(i,{className:E.menuHeader??``,children:e.title}),e.hits.map(e=>(0,U.jsxs)(y,{id:e.id,className:R.result??``,textValue:e.title,children:[(0,U.jsx)(`bdi`,{className:E.rowTitle,children:e.title}),e.about?(0,U.jsx)(`span`,{className:R.resultAbout,children:(0,U.jsx)(`bdi`,{children:e.about})}):null]},e.id))]})})]})})})})}export{X as default};