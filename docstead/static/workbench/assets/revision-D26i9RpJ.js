import{a as e,m as t,n,o as r}from"./main-Bhq9Fhq4.js";import{A as i,C as a,D as o,F as s,I as c,i as l,m as u,n as d,t as f,x as p}from"./generated-CkfC2XF_.js";import{ContentDifference as m}from"./difference-B4AmXxnY.js";var h=a(),g=f(`
  query RevisionView($space: ID!, $id: ID!) {
    revision(spaceId: $space, id: $id) {
      ...RevisionRow
      landingPage { id path }
      changes(limit: 500) { ...Changes }
    }
  }
`);function _({space:a,id:f}){let _=p(),v=l(g,{space:a.id,id:f});return r(`${_.revision} | ${a.title}`),(0,h.jsx)(d,{result:v,pick:e=>e.revision,children:r=>(0,h.jsxs)(h.Fragment,{children:[(0,h.jsx)(n,{title:(0,h.jsx)(`bdi`,{children:r.mergedFrom?.subject||r.git?.message||_.revisionTypes[r.type]}),crumbs:[{href:c(a.id),title:a.title},{href:i(a.id),title:_.history}],badges:(0,h.jsxs)(`p`,{style:{display:`flex`,gap:`0.7rem`,alignItems:`center`,flexWrap:`wrap`},children:[(0,h.jsx)(e,{at:r.createdAt}),r.mergedFrom?(0,h.jsx)(t,{href:o(a.id,r.mergedFrom.number),children:_.mergedFrom(r.mergedFrom.number)}):null,r.landingPage?(0,h.jsx)(t,{className:u(`normal`),href:`${s(a.id,r.id)}/${r.landingPage.path}`,children:_.readAsItWas}):null]})}),(0,h.jsx)(m,{space:a.id,changes:r.changes,after:{kind:`revision`,id:r.id}})]})})}export{_ as default};