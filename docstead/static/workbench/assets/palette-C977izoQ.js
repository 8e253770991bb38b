import{r as e}from"./rolldown-runtime-XKyaHtl9.js";import{An as t,At as n,C as r,Fn as i,G as a,H as o,In as s,J as c,Jt as l,Kn as u,L as d,Ln as f,Mn as p,Nn as m,P as h,Rt as g,U as _,X as v,Y as y,a as b,an as x,fr as S,h as C,in as w,jn as T,t as E,wt as D,x as O}from"./generated-Mf6MV06D.js";import{d as k,i as A,l as j,n as M,o as N,r as P,t as F}from"./useTextField-DQN7Vi5e.js";import{d as I,g as L,p as R}from"./main-DKDssKdL.js";var z=e(S(),1),B=(0,z.createContext)({}),V=(0,z.createContext)(null),H=l(function(e,r){[e,r]=T(e,r,V);let{validationBehavior:a}=f(N)||{},o=e.validationBehavior??a??`native`,c=(0,z.useRef)(null);[e,c]=T(e,c,x);let[l,u]=m(!e[`aria-label`]&&!e[`aria-labelledby`]),[d,h]=(0,z.useState)(`input`),{labelProps:_,inputProps:v,descriptionProps:y,errorMessageProps:b,...S}=F({...s(e),inputElementType:d,label:u,validationBehavior:o},c),C=(0,z.useCallback)(e=>{c.current=e,e&&h(e instanceof HTMLTextAreaElement?`textarea`:`input`)},[c]),w=p({...e,values:{isDisabled:e.isDisabled||!1,isInvalid:S.isInvalid,isReadOnly:e.isReadOnly||!1,isRequired:e.isRequired||!1},defaultClassName:`react-aria-TextField`}),E=g(e,{global:!0});return delete E.id,z.createElement(i.div,{...E,...w,ref:r,slot:e.slot||void 0,"data-disabled":e.isDisabled||void 0,"data-invalid":S.isInvalid||void 0,"data-readonly":e.isReadOnly||void 0,"data-required":e.isRequired||void 0},z.createElement(t,{values:[[k,{..._,ref:l}],[M,{...v,ref:C}],[B,{...v,ref:C}],[A,{role:`presentation`,isInvalid:S.isInvalid,isDisabled:e.isDisabled||!1}],[n,{slots:{description:y,errorMessage:b}}],[j,S]]},w.children))}),U=r(),W=E(`
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
`),G=E(`
  query SpacesByTitle($organization: ID!, $title: String) {
    organization(id: $organization) {
      id
      spaces(first: 8, title: $title, orderBy: { field: UPDATED_AT, direction: DESC }) {
        nodes { id title }
      }
    }
  }
`),K=120,q=160;function J(e){return e.pages.nodes.map(t=>{let n=[e.title,...t.ancestors.map(e=>e.title)].join(` › `),r=t.sections.map(e=>e.body).find(Boolean)??t.description;return{id:`page:${e.spaceId}:${t.pageId}`,href:h(e.spaceId,t.path),title:t.title,about:r?`${n} · ${r.slice(0,q)}`:n}})}function Y(e){let t=u(),n=I(),[r,i]=(0,z.useState)(null),[a,o]=(0,z.useState)();return(0,z.useEffect)(()=>{let r=!0,a=window.setTimeout(async()=>{let a=await Promise.all(n.organizations.nodes.map(async({id:n})=>{let[r,i]=await Promise.all([t.query(G,{organization:n,title:e||null}).toPromise(),e?t.query(W,{organization:n,words:e}).toPromise():null]);return{spaces:r,pages:i}}));r&&(o(a.map(e=>e.spaces.error??e.pages?.error).find(Boolean)),i({words:e,spaces:a.flatMap(({spaces:e})=>(e.data?.organization?.spaces.nodes??[]).map(e=>({id:`space:${e.id}`,href:d(e.id),title:e.title,about:``}))),pages:a.flatMap(({pages:e})=>(e?.data?.organization?.search.nodes??[]).flatMap(J))}))},e?K:0);return()=>{r=!1,window.clearTimeout(a)}},[t,n,e]),{found:r,error:a}}function X({onClose:e}){let t=O(),[,n]=L(),[r,i]=(0,z.useState)(``),{found:s,error:l}=Y(r.trim()),u=(0,z.useMemo)(()=>[{id:`spaces`,title:t.spaces,hits:s?.spaces??[]},{id:`pages`,title:t.pages,hits:s?.pages??[]}].filter(e=>e.hits.length>0),[s,t]);return(0,U.jsx)(_,{isOpen:!0,isDismissable:!0,onOpenChange:t=>t||e(),className:C.overlay??``,children:(0,U.jsx)(o,{className:`${C.modal} ${C.wide}`,children:(0,U.jsx)(a,{"aria-label":t.searchEverything,className:R.palette??``,children:(0,U.jsxs)(w,{inputValue:r,onInputChange:i,children:[(0,U.jsx)(H,{"aria-label":t.searchEverything,autoFocus:!0,children:(0,U.jsx)(P,{className:R.paletteInput??``,placeholder:t.searchPlaceholder})}),(0,U.jsx)(b,{error:l}),(0,U.jsx)(v,{"aria-label":t.results,className:R.results??``,items:u,onAction:t=>{let r=[...s?.spaces??[],...s?.pages??[]].find(e=>e.id===t);r!==void 0&&(e(),n(r.href))},renderEmptyState:()=>(0,U.jsx)(`p`,{className:R.paletteNote,children:s?.words&&!l?t.nothingFound(s.words):t.searching}),children:e=>(0,U.jsxs)(y,{id:e.id,children:[(0,U.jsx)(D,{className:C.menuHeader??``,children:e.title}),e.hits.map(e=>(0,U.jsxs)(c,{id:e.id,className:R.result??``,textValue:e.title,children:[(0,U.jsx)(`bdi`,{className:C.rowTitle,children:e.title}),e.about?(0,U.jsx)(`span`,{className:R.resultAbout,children:(0,U.jsx)(`bdi`,{children:e.about})}):null]},e.id))]})})]})})})})}export{X as default};