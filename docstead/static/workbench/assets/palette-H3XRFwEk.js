import{r as e}from"./rolldown-runtime-XKyaHtl9.js";import{An as t,B as n,C as r,Fn as i,I as a,It as o,J as s,K as c,Kt as l,N as u,Nn as d,On as f,Ot as p,Pn as m,St as h,U as g,V as _,Wn as v,a as y,h as b,jn as x,kn as S,nn as C,q as w,rn as T,t as E,ur as D,x as O}from"./generated-CkfC2XF_.js";import{d as k,i as A,l as j,n as M,o as N,r as P,t as F}from"./useTextField-6MXJP1YB.js";import{d as I,h as L,p as R}from"./main-Bhq9Fhq4.js";var z=e(D(),1),B=(0,z.createContext)({}),V=(0,z.createContext)(null),H=l(function(e,n){[e,n]=S(e,n,V);let{validationBehavior:r}=i(N)||{},a=e.validationBehavior??r??`native`,s=(0,z.useRef)(null);[e,s]=S(e,s,T);let[c,l]=x(!e[`aria-label`]&&!e[`aria-labelledby`]),[u,h]=(0,z.useState)(`input`),{labelProps:g,inputProps:_,descriptionProps:v,errorMessageProps:y,...b}=F({...m(e),inputElementType:u,label:l,validationBehavior:a},s),C=(0,z.useCallback)(e=>{s.current=e,e&&h(e instanceof HTMLTextAreaElement?`textarea`:`input`)},[s]),w=t({...e,values:{isDisabled:e.isDisabled||!1,isInvalid:b.isInvalid,isReadOnly:e.isReadOnly||!1,isRequired:e.isRequired||!1},defaultClassName:`react-aria-TextField`}),E=o(e,{global:!0});return delete E.id,z.createElement(d.div,{...E,...w,ref:n,slot:e.slot||void 0,"data-disabled":e.isDisabled||void 0,"data-invalid":b.isInvalid||void 0,"data-readonly":e.isReadOnly||void 0,"data-required":e.isRequired||void 0},z.createElement(f,{values:[[k,{...g,ref:c}],[M,{..._,ref:C}],[B,{..._,ref:C}],[A,{role:`presentation`,isInvalid:b.isInvalid,isDisabled:e.isDisabled||!1}],[p,{slots:{description:v,errorMessage:y}}],[j,b]]},w.children))}),U=r(),W=E(`
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
`),K=120,q=160;function J(e){return e.pages.nodes.map(t=>{let n=[e.title,...t.ancestors.map(e=>e.title)].join(` › `),r=t.sections.map(e=>e.body).find(Boolean)??t.description;return{id:`page:${e.spaceId}:${t.pageId}`,href:u(e.spaceId,t.path),title:t.title,about:r?`${n} · ${r.slice(0,q)}`:n}})}function Y(e){let t=v(),n=I(),[r,i]=(0,z.useState)(null),[o,s]=(0,z.useState)();return(0,z.useEffect)(()=>{let r=!0,o=window.setTimeout(async()=>{let o=await Promise.all(n.organizations.nodes.map(async({id:n})=>{let[r,i]=await Promise.all([t.query(G,{organization:n,title:e||null}).toPromise(),e?t.query(W,{organization:n,words:e}).toPromise():null]);return{spaces:r,pages:i}}));r&&(s(o.map(e=>e.spaces.error??e.pages?.error).find(Boolean)),i({words:e,spaces:o.flatMap(({spaces:e})=>(e.data?.organization?.spaces.nodes??[]).map(e=>({id:`space:${e.id}`,href:a(e.id),title:e.title,about:``}))),pages:o.flatMap(({pages:e})=>(e?.data?.organization?.search.nodes??[]).flatMap(J))}))},e?K:0);return()=>{r=!1,window.clearTimeout(o)}},[t,n,e]),{found:r,error:o}}function X({onClose:e}){let t=O(),[,r]=L(),[i,a]=(0,z.useState)(``),{found:o,error:l}=Y(i.trim()),u=(0,z.useMemo)(()=>[{id:`spaces`,title:t.spaces,hits:o?.spaces??[]},{id:`pages`,title:t.pages,hits:o?.pages??[]}].filter(e=>e.hits.length>0),[o,t]);return(0,U.jsx)(_,{isOpen:!0,isDismissable:!0,onOpenChange:t=>t||e(),className:b.overlay??``,children:(0,U.jsx)(n,{className:`${b.modal} ${b.wide}`,children:(0,U.jsx)(g,{"aria-label":t.searchEverything,className:R.palette??``,children:(0,U.jsxs)(C,{inputValue:i,onInputChange:a,children:[(0,U.jsx)(H,{"aria-label":t.searchEverything,autoFocus:!0,children:(0,U.jsx)(P,{className:R.paletteInput??``,placeholder:t.searchPlaceholder})}),(0,U.jsx)(y,{error:l}),(0,U.jsx)(s,{"aria-label":t.results,className:R.results??``,items:u,onAction:t=>{let n=[...o?.spaces??[],...o?.pages??[]].find(e=>e.id===t);n!==void 0&&(e(),r(n.href))},renderEmptyState:()=>(0,U.jsx)(`p`,{className:R.paletteNote,children:o?.words&&!l?t.nothingFound(o.words):t.searching}),children:e=>(0,U.jsxs)(w,{id:e.id,children:[(0,U.jsx)(h,{className:b.menuHeader??``,children:e.title}),e.hits.map(e=>(0,U.jsxs)(c,{id:e.id,className:R.result??``,textValue:e.title,children:[(0,U.jsx)(`bdi`,{className:b.rowTitle,children:e.title}),e.about?(0,U.jsx)(`span`,{className:R.resultAbout,children:(0,U.jsx)(`bdi`,{children:e.about})}):null]},e.id))]})})]})})})})}export{X as default};