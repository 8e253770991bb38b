import{a as e,h as t,n,o as r}from"./main-BI0HBwRz.js";import{B as i,E as a,P as o,_ as s,i as c,j as l,n as u,t as d,w as f,z as p}from"./generated-sRjKKWWG.js";import{ContentDifference as m}from"./difference-DlFB96xI.js";var h=a(),g=d(`
  query RevisionView($space: ID!, $id: ID!) {
    revision(spaceId: $space, id: $id) {
      ...RevisionRow
      landingPage { id path }
      changes(limit: 500) { ...Changes }
    }
  }
`);function _({space:a,id:d}){let _=f(),v=c(g,{space:a.id,id:d});return r(`${_.revision} | ${a.title}`),(0,h.jsx)(u,{result:v,pick:e=>e.revision,children:r=>(0,h.jsxs)(h.Fragment,{children:[(0,h.jsx)(n,{title:(0,h.jsx)(`bdi`,{children:r.mergedFrom?.subject||r.git?.message||_.revisionTypes[r.type]}),crumbs:[{href:i(a.id),title:a.title},{href:o(a.id),title:_.history}],badges:(0,h.jsxs)(`p`,{style:{display:`flex`,gap:`0.7rem`,alignItems:`center`,flexWrap:`wrap`},children:[(0,h.jsx)(e,{at:r.createdAt}),r.mergedFrom?(0,h.jsx)(t,{href:l(a.id,r.mergedFrom.number),children:_.mergedFrom(r.mergedFrom.number)}):null,r.landingPage?(0,h.jsx)(t,{className:s(`normal`),href:`${p(a.id,r.id)}/${r.landingPage.path}`,children:_.readAsItWas}):null]})}),(0,h.jsx)(m,{space:a.id,changes:r.changes,after:{kind:`revision`,id:r.id}})]})})}export{_ as default};