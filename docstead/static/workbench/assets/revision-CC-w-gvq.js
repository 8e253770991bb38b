import{A as e,C as t,D as n,F as r,Hn as i,I as a,i as o,m as s,n as c,t as l,x as u}from"./generated-CjpdeaVA.js";import{t as d}from"./difference-QOTMepC-.js";import{a as f,n as p,o as m}from"./main-BZBeO0rg.js";var h=t(),g=l(`
  query RevisionView($space: ID!, $id: ID!) {
    revision(spaceId: $space, id: $id) {
      ...RevisionRow
      landingPage { id path }
      changes(limit: 500) { ...Changes }
    }
  }
`);function _({space:t,id:l}){let _=u(),v=o(g,{space:t.id,id:l});return m(`${_.revision} | ${t.title}`),(0,h.jsx)(c,{result:v,pick:e=>e.revision,children:o=>(0,h.jsxs)(h.Fragment,{children:[(0,h.jsx)(p,{title:(0,h.jsx)(`bdi`,{children:o.mergedFrom?.subject||o.git?.message||_.revisionTypes[o.type]}),crumbs:[{href:a(t.id),title:t.title},{href:e(t.id),title:_.history}],badges:(0,h.jsxs)(`p`,{style:{display:`flex`,gap:`0.7rem`,alignItems:`center`,flexWrap:`wrap`},children:[(0,h.jsx)(f,{at:o.createdAt}),o.mergedFrom?(0,h.jsx)(i,{href:n(t.id,o.mergedFrom.number),children:_.mergedFrom(o.mergedFrom.number)}):null,o.landingPage?(0,h.jsx)(i,{className:s(`normal`),href:`${r(t.id,o.id)}/${o.landingPage.path}`,children:_.readAsItWas}):null]})}),(0,h.jsx)(d,{space:t.id,changes:o.changes,after:{kind:`revision`,id:o.id}})]})})}export{_ as default};