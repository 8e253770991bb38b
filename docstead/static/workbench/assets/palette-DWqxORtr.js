import{r as e}from"./rolldown-runtime-XKyaHtl9.js";import{An as t,B as n,C as r,Fn as i,I as a,It as o,J as s,K as c,Kn as l,Kt as u,N as d,Nn as f,On as p,Ot as m,Pn as h,St as g,U as _,V as v,Yn as y,a as b,h as x,hr as S,jn as C,kn as w,nn as T,q as E,rn as D,t as O,x as k}from"./generated-CjpdeaVA.js";import{d as A,i as j,l as M,n as N,o as P,r as F,t as I}from"./useTextField-5eyFfB70.js";import{d as L,p as R}from"./main-BZBeO0rg.js";var z=e(S(),1),B=(0,z.createContext)({}),V=(0,z.createContext)(null),H=u(function(e,n){[e,n]=w(e,n,V);let{validationBehavior:r}=i(P)||{},a=e.validationBehavior??r??`native`,s=(0,z.useRef)(null);[e,s]=w(e,s,D);let[c,l]=C(!e[`aria-label`]&&!e[`aria-labelledby`]),[u,d]=(0,z.useState)(`input`),{labelProps:g,inputProps:_,descriptionProps:v,errorMessageProps:y,...b}=I({...h(e),inputElementType:u,label:l,validationBehavior:a},s),x=(0,z.useCallback)(e=>{s.current=e,e&&d(e instanceof HTMLTextAreaElement?`textarea`:`input`)},[s]),S=t({...e,values:{isDisabled:e.isDisabled||!1,isInvalid:b.isInvalid,isReadOnly:e.isReadOnly||!1,isRequired:e.isRequired||!1},defaultClassName:`react-aria-TextField`}),T=o(e,{global:!0});return delete T.id,z.createElement(f.div,{...T,...S,ref:n,slot:e.slot||void 0,"data-disabled":e.isDisabled||void 0,"data-invalid":b.isInvalid||void 0,"data-readonly":e.isReadOnly||void 0,"data-required":e.isRequired||void 0},z.createElement(p,{values:[[A,{...g,ref:c}],[N,{..._,ref:x}],[B,{..._,ref:x}],[j,{role:`presentation`,isInvalid:b.isInvalid,isDisabled:e.isDisabled||!1}],[m,{slots:{description:v,errorMessage:y}}],[M,b]]},S.children))}),U=r(),W=O(`
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
`),G=O(`
  query SpacesByTitle($organization: ID!, $title: String) {
    organization(id: $organization) {
      id
      spaces(first: 8, title: $title, orderBy: { field: UPDATED_AT, direction: DESC }) {
        nodes { id title }
      }
    }
  }
`),K=120,q=160;function J(e){return e.pages.nodes.map(t=>{let n=[e.title,...t.ancestors.map(e=>e.title)].join(` › `),r=t.sections.map(e=>e.body).find(Boolean)??t.description;return{id:`page:${e.spaceId}:${t.pageId}`,href:d(e.spaceId,t.path),title:t.title,about:r?`${n} · ${r.slice(0,q)}`:n}})}function Y(e){let t=y(),n=L(),[r,i]=(0,z.useState)(null),[o,s]=(0,z.useState)();return(0,z.useEffect)(()=>{let r=!0,o=window.setTimeout(async()=>{let o=await Promise.all(n.organizations.nodes.map(async({id:n})=>{let[r,i]=await Promise.all([t.query(G,{organization:n,title:e||null}).toPromise(),e?t.query(W,{organization:n,words:e}).toPromise():null]);return{spaces:r,pages:i}}));r&&(s(o.map(e=>e.spaces.error??e.pages?.error).find(Boolean)),i({words:e,spaces:o.flatMap(({spaces:e})=>(e.data?.organization?.spaces.nodes??[]).map(e=>({id:`space:${e.id}`,href:a(e.id),title:e.title,about:``}))),pages:o.flatMap(({pages:e})=>(e?.data?.organization?.search.nodes??[]).flatMap(J))}))},e?K:0);return()=>{r=!1,window.clearTimeout(o)}},[t,n,e]),{found:r,error:o}}function X({onClose:e}){let t=k(),[,r]=l(),[i,a]=(0,z.useState)(``),{found:o,error:u}=Y(i.trim()),d=(0,z.useMemo)(()=>[{id:`spaces`,title:t.spaces,hits:o?.spaces??[]},{id:`pages`,title:t.pages,hits:o?.pages??[]}].filter(e=>e.hits.length>0),[o,t]);return(0,U.jsx)(v,{isOpen:!0,isDismissable:!0,onOpenChange:t=>t||e(),className:x.overlay??``,children:(0,U.jsx)(n,{className:`${x.modal} ${x.wide}`,children:(0,U.jsx)(_,{"aria-label":t.searchEverything,className:R.palette??``,children:(0,U.jsxs)(T,{inputValue:i,onInputChange:a,children:[(0,U.jsx)(H,{"aria-label":t.searchEverything,autoFocus:!0,children:(0,U.jsx)(F,{className:R.paletteInput??``,placeholder:t.searchPlaceholder})}),(0,U.jsx)(b,{error:u}),(0,U.jsx)(s,{"aria-label":t.results,className:R.results??``,items:d,onAction:t=>{let n=[...o?.spaces??[],...o?.pages??[]].find(e=>e.id===t);n!==void 0&&(e(),r(n.href))},renderEmptyState:()=>(0,U.jsx)(`p`,{className:R.paletteNote,children:o?.words&&!u?t.nothingFound(o.words):t.searching}),children:e=>(0,U.jsxs)(E,{id:e.id,children:[(0,U.jsx)(g,{className:x.menuHeader??``,children:e.title}),e.hits.map(e=>(0,U.jsxs)(c,{id:e.id,className:R.result??``,textValue:e.title,children:[(0,U.jsx)(`bdi`,{className:x.rowTitle,children:e.title}),e.about?(0,U.jsx)(`span`,{className:R.resultAbout,children:(0,U.jsx)(`bdi`,{children:e.about})}):null]},e.id))]})})]})})})})}export{X as default};