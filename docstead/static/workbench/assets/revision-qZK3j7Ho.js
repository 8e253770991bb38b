import{a as e,h as t,n,o as r}from"./main-DKDssKdL.js";import{C as i,I as a,L as o,O as s,i as c,j as l,m as u,n as d,t as f,x as p}from"./generated-Mf6MV06D.js";import{ContentDifference as m}from"./difference-cx3GCpjH.js";var h=i(),g=f(`
  query RevisionView($space: ID!, $id: ID!) {
    revision(spaceId: $space, id: $id) {
      ...RevisionRow
      landingPage { id path }
      changes(limit: 500) { ...Changes }
    }
  }
`);function _({space:i,id:f}){let _=p(),v=c(g,{space:i.id,id:f});return r(`${_.revision} | ${i.title}`),(0,h.jsx)(d,{result:v,pick:e=>e.revision,children:r=>(0,h.jsxs)(h.Fragment,{children:[(0,h.jsx)(n,{title:(0,h.jsx)(`bdi`,{children:r.mergedFrom?.subject||r.git?.message||_.revisionTypes[r.type]}),crumbs:[{href:o(i.id),title:i.title},{href:l(i.id),title:_.history}],badges:(0,h.jsxs)(`p`,{style:{display:`flex`,gap:`0.7rem`,alignItems:`center`,flexWrap:`wrap`},children:[(0,h.jsx)(e,{at:r.createdAt}),r.mergedFrom?(0,h.jsx)(t,{href:s(i.id,r.mergedFrom.number),children:_.mergedFrom(r.mergedFrom.number)}):null,r.landingPage?(0,h.jsx)(t,{className:u(`normal`),href:`${a(i.id,r.id)}/${r.landingPage.path}`,children:_.readAsItWas}):null]})}),(0,h.jsx)(m,{space:i.id,changes:r.changes,after:{kind:`revision`,id:r.id}})]})})}export{_ as default};