const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["./ask-n7kkvgrx.js","./rolldown-runtime-XKyaHtl9.js","./generated-sRjKKWWG.js","./generated-D5ciptPB.css","./useTextField-0xGfkOwU.js","./routes-B4oFp-gq.js","./main-BI0HBwRz.js","./main-9ZPdf26k.css","./useListState-CKWEIep-.js","./routes-DNkbc0p9.css","./difference-DlFB96xI.js","./json-D7w9n1dG.js","./comment-form-B4PaEij4.js"])))=>i.map(i=>d[i]);
import{r as e}from"./rolldown-runtime-XKyaHtl9.js";import{B as t,E as n,J as r,M as i,R as a,T as o,U as s,Xn as c,_ as l,a as u,b as d,d as f,f as p,g as m,hr as h,i as g,j as _,m as v,n as y,nt as b,p as x,q as S,r as C,t as w,u as T,v as E,w as D,y as O}from"./generated-sRjKKWWG.js";import{_ as k,a as A,d as j,f as ee,h as M,m as N,n as te,o as ne,r as re}from"./main-BI0HBwRz.js";import{a as P,f as F,i as I,n as L}from"./routes-B4oFp-gq.js";import{n as R,t as ie}from"./comment-form-B4PaEij4.js";var z={name:`circle-dashed`,size:24,node:[[`path`,{d:`M10.1 2.182a10 10 0 0 1 3.8 0`,key:`5ilxe3`}],[`path`,{d:`M13.9 21.818a10 10 0 0 1-3.8 0`,key:`11zvb9`}],[`path`,{d:`M17.609 3.721a10 10 0 0 1 2.69 2.7`,key:`1iw5b2`}],[`path`,{d:`M2.182 13.9a10 10 0 0 1 0-3.8`,key:`c0bmvh`}],[`path`,{d:`M20.279 17.609a10 10 0 0 1-2.7 2.69`,key:`1ruxm7`}],[`path`,{d:`M21.818 10.1a10 10 0 0 1 0 3.8`,key:`qkgqxc`}],[`path`,{d:`M3.721 6.391a10 10 0 0 1 2.7-2.69`,key:`1mcia2`}],[`path`,{d:`M6.391 20.279a10 10 0 0 1-2.69-2.7`,key:`1fvljs`}]]};z.node;var ae=d(z),B={name:`circle-question-mark`,size:24,node:[[`circle`,{cx:`12`,cy:`12`,r:`10`,key:`1mglay`}],[`path`,{d:`M9 9.5a3 2.5 0 016 0c0 2-2 2-3 3.5`,key:`1awbb0`}],[`path`,{d:`M12 17h.01`,key:`p32p05`}]],aliases:[`help-circle`,`circle-help`]};B.node;var oe=d(B),V={name:`circle-x`,size:24,node:[[`circle`,{cx:`12`,cy:`12`,r:`10`,key:`1mglay`}],[`path`,{d:`m15 9-6 6`,key:`1uzhvr`}],[`path`,{d:`m9 9 6 6`,key:`z0biqf`}]],aliases:[`x-circle`]};V.node;var se=d(V),H={name:`clock`,size:24,node:[[`circle`,{cx:`12`,cy:`12`,r:`10`,key:`1mglay`}],[`path`,{d:`M12 6v6l4 2`,key:`mmk7yg`}]]};H.node;var ce=d(H),U={name:`face-slightly-smiling-plus`,size:24,node:[[`path`,{d:`M13.267 2.08a10 10 0 108.653 8.653`,key:`1wbpyh`}],[`path`,{d:`M15 10V9`,key:`4dkmfx`}],[`path`,{d:`M16 5h6`,key:`1vod17`}],[`path`,{d:`M16.472 15a6 6 0 01-8.943 0`,key:`7qomzy`}],[`path`,{d:`M19 2v6`,key:`4bpg5p`}],[`path`,{d:`M9 10V9`,key:`1lazqi`}]],aliases:[`smile-plus`]};U.node;var le=d(U),W={name:`pencil`,size:24,node:[[`path`,{d:`M21.174 6.812a1 1 0 0 0-3.986-3.987L3.842 16.174a2 2 0 0 0-.5.83l-1.321 4.352a.5.5 0 0 0 .623.622l4.353-1.32a2 2 0 0 0 .83-.497z`,key:`1a8usu`}],[`path`,{d:`m15 5 4 4`,key:`1mk7zo`}]]};W.node;var ue=d(W),G=e(h(),1),K=n();w(`
  fragment Reactions on Reactable {
    __typename
    id
    reactions { emoji count users { user { id displayName } } }
  }
`),w(`
  fragment CommentThread on Comment {
    ...Reactions
    postedAt
    editedAt
    postedBy { id displayName }
    body { document }
    status
    permissions { reply react resolve edit delete }
    target { page { pageId title path outdated } node { nodeId preview } reviewId }
    replyCount
  }
`),w(`
  fragment ReplyRow on CommentReply {
    ...Reactions
    postedAt
    postedBy { id displayName }
    body { document }
    permissions { delete }
  }
`);var de=w(`
  query Replies($comment: ID!, $after: String) {
    node(id: $comment) {
      __typename
      id
      ... on Comment {
        replies(first: 40, after: $after) { nodes { ...ReplyRow } pageInfo { hasNextPage endCursor } }
      }
    }
  }
`),fe=w(`
  mutation ReplyToComment($space: ID!, $change: ID, $comment: ID!, $input: PostCommentReplyInput!) {
    replyToComment(spaceId: $space, changeRequestId: $change, commentId: $comment, input: $input) { id }
  }
`),pe=w(`
  mutation ResolveComment($space: ID!, $change: ID, $id: ID!, $input: UpdateCommentInput!) {
    updateComment(spaceId: $space, changeRequestId: $change, id: $id, input: $input) { id status }
  }
`),me=w(`
  mutation DeleteComment($space: ID!, $change: ID, $id: ID!) {
    deleteComment(spaceId: $space, changeRequestId: $change, id: $id) { deletedId }
  }
`),he=w(`
  mutation DeleteCommentReply($space: ID!, $change: ID, $comment: ID!, $id: ID!) {
    deleteCommentReply(spaceId: $space, changeRequestId: $change, commentId: $comment, id: $id) { deletedId }
  }
`),ge=w(`
  mutation AddReaction($subject: ID!, $input: ReactionInput!) {
    addReaction(subjectId: $subject, input: $input) { subject { ...Reactions } }
  }
`),_e=w(`
  mutation RemoveReaction($subject: ID!, $input: ReactionInput!) {
    removeReaction(subjectId: $subject, input: $input) { subject { ...Reactions } }
  }
`),ve=[`1f44d`,`1f389`,`2764`,`1f680`,`1f440`,`1f914`],q=e=>e.document.nodes??[];function J({subject:e,allowed:t}){let n=D(),i=j(),[a,o]=c(ge),[s,l]=c(_e),[d,p]=(0,G.useState)(null),m=t=>d?.emoji===t?d.mine:e.reactions.some(e=>e.emoji===t&&e.users.some(({user:e})=>e.id===i.id)),h=t=>{let n=e.reactions.find(e=>e.emoji===t),r=n?.users.some(({user:e})=>e.id===i.id)??!1;return(n?.count??0)+(m(t)===r?0:r?-1:1)},g=async t=>{let n=!m(t);p({emoji:t,mine:n}),await(n?o:l)({subject:e.id,input:{emoji:t}}),p(null)},_=[...new Set([...e.reactions.map(e=>e.emoji),...d?[d.emoji]:[]])].filter(e=>h(e)>0);return _.length===0&&!t?null:(0,K.jsxs)(K.Fragment,{children:[(0,K.jsxs)(`div`,{className:L.reactions,children:[_.map(n=>{let r=e.reactions.find(e=>e.emoji===n)?.users.map(({user:e})=>e.displayName)??[];return(0,K.jsxs)(`button`,{type:`button`,className:L.reaction,"aria-pressed":m(n),disabled:!t||d!==null,title:r.join(`, `),onClick:()=>void g(n),children:[ee(n),` `,h(n)]},n)}),t?(0,K.jsxs)(S,{children:[(0,K.jsx)(f,{look:`icon`,"aria-label":n.addReaction,children:(0,K.jsx)(le,{size:17,"aria-hidden":!0})}),(0,K.jsx)(b,{className:E.popover??``,children:(0,K.jsx)(r,{className:L.emojis??``,"aria-label":n.addReaction,children:({close:e})=>(0,K.jsx)(K.Fragment,{children:ve.map(t=>(0,K.jsx)(`button`,{type:`button`,"aria-label":n.emojis[t]??t,onClick:()=>{e(),m(t)||g(t)},children:ee(t)},t))})})})]}):null]}),(0,K.jsx)(u,{error:a.error??s.error})]})}function ye({place:e,comment:t}){let n=D(),[r,i,a]=R(`reply ${t}`),[{fetching:o,error:l},d]=c(fe),p=async()=>{o||r.trim()===``||(await d({space:e.space,change:e.change,comment:t,input:{body:{markdown:r}}})).error||(a(r),s())};return(0,K.jsxs)(`form`,{className:L.form,onSubmit:e=>{e.preventDefault(),p()},children:[(0,K.jsxs)(`label`,{className:E.field,children:[(0,K.jsx)(`span`,{className:`hidden-text`,children:n.reply}),(0,K.jsx)(`textarea`,{className:E.input,style:{minBlockSize:`2.6rem`},placeholder:n.replyPlaceholder,rows:1,value:r,dir:`auto`,onChange:e=>i(e.target.value),onKeyDown:e=>{e.key===`Enter`&&(e.ctrlKey||e.metaKey)&&p()}})]}),(0,K.jsx)(u,{error:l}),r.trim()?(0,K.jsx)(`div`,{className:E.actions,children:(0,K.jsx)(f,{type:`submit`,isDisabled:o,children:n.reply})}):null]})}function Y({place:e,comment:t,after:n}){let r=D(),[i,a]=(0,G.useState)(!1),o=g(de,{comment:t.id,after:n});return(0,K.jsx)(y,{result:o,pick:e=>e.node?.__typename===`Comment`?e.node.replies:null,children:({nodes:n,pageInfo:o})=>(0,K.jsxs)(K.Fragment,{children:[n.map(n=>(0,K.jsx)(`li`,{children:(0,K.jsx)(be,{place:e,comment:t,reply:n})},n.id)),o.hasNextPage?i?(0,K.jsx)(Y,{place:e,comment:t,after:o.endCursor}):(0,K.jsx)(`li`,{children:(0,K.jsx)(f,{look:`plain`,onPress:()=>a(!0),children:r.showMore})}):null]})})}function be({place:e,comment:t,reply:n}){let r=D(),[{fetching:i,error:a},o]=c(he),[l,d]=(0,G.useState)(!1),p=async()=>{(await o({...e,comment:t.id,id:n.id})).error||s()};return(0,K.jsxs)(K.Fragment,{children:[(0,K.jsxs)(`div`,{className:L.replyHead,children:[(0,K.jsx)(v,{name:n.postedBy.displayName}),(0,K.jsx)(`strong`,{children:(0,K.jsx)(`bdi`,{children:n.postedBy.displayName})}),(0,K.jsx)(`span`,{className:L.about,children:(0,K.jsx)(A,{at:n.postedAt})}),n.permissions.delete?(0,K.jsx)(f,{look:`plain`,isDisabled:i,onPress:()=>l?void p():d(!0),children:l?r.deleteForGood:r.delete}):null]}),(0,K.jsx)(P,{nodes:q(n.body)}),(0,K.jsx)(J,{subject:n,allowed:t.permissions.react}),(0,K.jsx)(u,{error:a})]})}function xe({comment:e,place:t,version:n}){let r=D(),[i,o]=c(pe),[l,d]=c(me),[p,m]=(0,G.useState)(!1),h=e.status===`RESOLVED`,g=async e=>{let{error:t}=await e;t||s()},_={space:t.space,change:t.change};return(0,K.jsxs)(`article`,{className:L.comment,"aria-label":r.commentBy(e.postedBy.displayName),id:`comment-${e.id}`,children:[(0,K.jsxs)(`header`,{className:L.commentHead,children:[(0,K.jsx)(v,{name:e.postedBy.displayName}),(0,K.jsx)(`strong`,{children:(0,K.jsx)(`bdi`,{children:e.postedBy.displayName})}),(0,K.jsxs)(`span`,{className:L.about,children:[(0,K.jsx)(A,{at:e.postedAt}),e.editedAt?` · ${r.edited}`:``]}),h?(0,K.jsx)(T,{tone:`good`,children:r.resolved}):null,(0,K.jsxs)(`span`,{className:`push`,style:{marginInlineStart:`auto`,display:`flex`,gap:`0.2rem`},children:[e.permissions.resolve?(0,K.jsx)(f,{look:`plain`,isDisabled:i.fetching,onPress:()=>void g(o({..._,id:e.id,input:{resolved:!h}})),children:h?r.reopen:r.resolve}):null,e.permissions.delete?p?(0,K.jsx)(f,{look:`plain`,isDisabled:l.fetching,onPress:()=>void g(d({..._,id:e.id})),children:r.deleteForGood}):(0,K.jsx)(f,{look:`plain`,onPress:()=>m(!0),children:r.delete}):null]})]}),(0,K.jsxs)(`div`,{className:L.commentBody,children:[e.target.page?(0,K.jsxs)(`p`,{className:L.about,children:[r.about,` `,(0,K.jsx)(M,{href:a(t.space,n,e.target.page.path),children:(0,K.jsx)(`bdi`,{children:e.target.page.title})}),e.target.node?.preview?(0,K.jsxs)(K.Fragment,{children:[`: `,(0,K.jsxs)(`bdi`,{children:[`“`,e.target.node.preview,`”`]})]}):null,e.target.page.outdated?` (${r.changedSince})`:``]}):null,(0,K.jsx)(P,{nodes:q(e.body)}),(0,K.jsx)(J,{subject:e,allowed:e.permissions.react}),e.replyCount>0?(0,K.jsx)(`ul`,{className:L.replies,children:(0,K.jsx)(Y,{place:t,comment:e,after:null})}):null,(0,K.jsx)(u,{error:i.error??l.error}),e.permissions.reply&&!h?(0,K.jsx)(ye,{place:t,comment:e.id}):null]})]})}w(`
  fragment Conflict on MergeConflict {
    id
    kind
    pageId
    block
    field
    base
    ours
    theirs
  }
`);var Se=w(`
  mutation ResolveConflict($space: ID!, $change: ID!, $id: ID!, $input: ResolveConflictInput!) {
    resolveConflict(spaceId: $space, changeRequestId: $change, id: $id, input: $input) { id resolution resolvedAt }
  }
`),Ce=w(`
  query TitleOfPage($space: ID!, $page: ID!, $change: ID!) {
    page(spaceId: $space, id: $page, changeRequestId: $change) { id title }
  }
`);function X({side:e}){let t=D();if(e===null)return(0,K.jsx)(`p`,{className:L.about,children:t.notThere});if(e.object===`block`)return(0,K.jsx)(I,{nodes:[e]});if(Array.isArray(e.nodes))return(0,K.jsx)(I,{nodes:e.nodes});let n=e.value;return typeof n==`string`||typeof n==`number`?(0,K.jsx)(`p`,{dir:`auto`,children:String(n)}):(0,K.jsx)(`pre`,{tabIndex:0,style:{whiteSpace:`pre-wrap`},children:JSON.stringify(n??e,null,2)})}function we({space:e,change:t,page:n}){let r=g(Ce,{space:e,change:t,page:n});return(0,K.jsx)(`strong`,{children:(0,K.jsx)(`bdi`,{children:r.data?.page?.title??``})})}var Te=new Set([`BLOCK`,`CELL`]);function Ee({space:e,change:t,conflict:n}){let r=D(),[{fetching:i,error:a},o]=c(Se),l=async r=>{(await o({space:e,change:t,id:n.id,input:{resolution:r}})).error||s()};return(0,K.jsx)(`article`,{className:L.change,children:(0,K.jsxs)(`div`,{className:L.changeBody,children:[(0,K.jsxs)(`div`,{style:{display:`flex`,gap:`0.6rem`,alignItems:`center`,flexWrap:`wrap`},children:[n.pageId?(0,K.jsx)(we,{space:e,change:t,page:n.pageId}):null,(0,K.jsx)(T,{tone:`warn`,children:r.conflictKinds[n.kind]}),n.field?(0,K.jsx)(`code`,{children:n.field}):null]}),(0,K.jsxs)(`div`,{className:L.sides,children:[(0,K.jsxs)(`div`,{className:L.block,"data-kind":`edited`,children:[(0,K.jsx)(`h4`,{children:r.ours}),(0,K.jsx)(X,{side:n.ours})]}),(0,K.jsxs)(`div`,{className:L.block,"data-kind":`edited`,children:[(0,K.jsx)(`h4`,{children:r.theirs}),(0,K.jsx)(X,{side:n.theirs})]})]}),(0,K.jsx)(u,{error:a}),(0,K.jsxs)(`div`,{className:E.actions,children:[(0,K.jsx)(f,{isDisabled:i,onPress:()=>void l(`OURS`),children:r.takeOurs}),(0,K.jsx)(f,{isDisabled:i,onPress:()=>void l(`THEIRS`),children:r.takeTheirs}),Te.has(n.kind)?(0,K.jsx)(f,{isDisabled:i,onPress:()=>void l(`BOTH`),children:r.takeBoth}):null]})]})})}function De({space:e,change:t}){let n=D(),{nodes:r,pageInfo:i}=t.conflictsOpen;return r.length===0?(0,K.jsx)(x,{children:n.allResolved}):(0,K.jsxs)(`div`,{className:L.changes,children:[(0,K.jsx)(`p`,{children:n.conflictsAbout}),r.map(n=>(0,K.jsx)(Ee,{space:e,change:t.id,conflict:n},n.id)),i.hasNextPage?(0,K.jsx)(`p`,{className:L.about,children:n.moreConflicts}):null]})}var Z=e=>e?`met`:`unmet`;function Oe(e,t){let n=t.reviews.filter(e=>!e.outdated),r=new Set(n.filter(e=>e.status===`APPROVED`).map(e=>e.reviewer.id));switch(e.rule){case`require_at_least_one_review`:return Z(r.size>0);case`require_all_reviews_approved`:return Z(t.waiting===0&&n.every(e=>e.status===`APPROVED`));case`require_specific_reviewers`:return Z(e.userIds.every(e=>r.has(e)));case`require_one_of_specific_reviewers`:return Z(e.userIds.some(e=>r.has(e)));case`require_up_to_date_change_request`:return Z(!t.outdated);case`require_change_request_subject`:return Z(t.subject.trim()!==``);case`require_change_request_description`:return Z(t.hasDescription);default:return`unknown`}}var ke=(e,t)=>e.some(e=>e.rule===`allow_bypass`&&e.userIds.includes(t)),Ae=w(`
  query MergeRules($space: ID!) {
    space(id: $space) {
      id
      typedMergeRules { type rules { rule userIds users { id displayName } expression } }
      organization { id typedMergeRules { type rules { rule userIds users { id displayName } expression } } }
    }
  }
`),je=w(`
  mutation UpdateFromSpace($space: ID!, $id: ID!, $revision: ID) {
    pullChangeRequest(spaceId: $space, id: $id, expectedRevision: $revision) { result changeRequest { id outdated } }
  }
`),Me=w(`
  mutation MergeChangeRequest($space: ID!, $id: ID!, $revision: ID) {
    mergeChangeRequest(spaceId: $space, id: $id, expectedRevision: $revision) { result changeRequest { id status outdated } }
  }
`),Ne=w(`
  mutation SetStatusOfChangeRequest($space: ID!, $id: ID!, $input: UpdateChangeRequestInput!) {
    updateChangeRequest(spaceId: $space, id: $id, input: $input) { id status }
  }
`),Pe={met:F,unmet:O,unknown:oe},Q={met:`var(--good)`,unmet:`var(--bad)`,unknown:`var(--ink-soft)`};function Fe(e,t){let n=j(),r=g(Ae,{space:e}),i=r.data?.space?.typedMergeRules,a=(i?.type===`inherit`?r.data?.space?.organization.typedMergeRules:i)?.rules??[],o={outdated:t.outdated,subject:t.subject,hasDescription:(t.description?.nodes?.length??0)>0,waiting:t.requestedReviewers.nodes.length,reviews:t.reviews.nodes,viewer:n.id};return{checks:a.filter(e=>e.rule!==`allow_bypass`).map(e=>({rule:e,state:Oe(e,o)})),bypass:ke(a,n.id)}}function Ie({space:e,change:t,conflicts:n}){let r=D(),{checks:i,bypass:a}=Fe(e.id,t),[o,l]=c(je),[d,h]=c(Me),[g,v]=c(Ne),[y,b]=(0,G.useState)(null),[x,S]=(0,G.useState)(null),C={space:e.id,id:t.id},w=t.status===`OPEN`||t.status===`DRAFT`,T=t.revision?.id??null,k=async()=>{let{data:e,error:t}=await l({...C,revision:T});t||(S(e?.pullChangeRequest?.result===`CONFLICTS`?r.hasConflicts:r.isUpToDate),s())},A=async()=>{let{data:e,error:t}=await h({...C,revision:y?.revision??null});t||(b(null),S(e?.mergeChangeRequest?.result===`CONFLICTS`?r.hasConflicts:null),s())},j=async e=>{let{error:t}=await v({...C,input:{status:e}});t||s()};return t.status===`MERGED`?(0,K.jsx)(m,{tone:`good`,children:(0,K.jsx)(`strong`,{children:r.isMerged})}):(0,K.jsxs)(`section`,{className:L.merge,"aria-label":r.merge,children:[t.status===`ARCHIVED`?(0,K.jsx)(`p`,{children:r.isArchived}):null,w?(0,K.jsxs)(`ul`,{className:L.checks,"aria-label":r.checks,children:[i.map(({rule:e,state:t},n)=>{let i=Pe[t],a=e.users.map(e=>e.displayName).join(`, `);return(0,K.jsxs)(`li`,{children:[(0,K.jsx)(i,{size:16,color:Q[t],role:`img`,"aria-label":r.checkStates[t]}),(0,K.jsxs)(`span`,{children:[r.rules[e.rule]??e.rule,a?(0,K.jsxs)(K.Fragment,{children:[`: `,(0,K.jsx)(`bdi`,{children:a})]}):null,e.expression?(0,K.jsxs)(K.Fragment,{children:[` `,(0,K.jsx)(`code`,{children:e.expression})]}):null]})]},n)}),(0,K.jsxs)(`li`,{children:[n===0?(0,K.jsx)(F,{size:16,color:Q.met,role:`img`,"aria-label":r.checkStates.met}):(0,K.jsx)(O,{size:16,color:Q.unmet,role:`img`,"aria-label":r.checkStates.unmet}),(0,K.jsx)(`span`,{children:n===0?r.noOpenConflicts:(0,K.jsx)(M,{href:`${_(e.id,t.number)}?tab=conflicts`,children:r.resolveConflicts(n)})})]})]}):null,a&&w?(0,K.jsx)(`p`,{className:E.hint,children:r.mayBypass}):null,t.outdated&&w?(0,K.jsx)(m,{tone:`warn`,children:r.outdatedAbout}):null,x?(0,K.jsx)(m,{tone:x===r.hasConflicts?`warn`:`good`,role:`status`,children:x}):null,(0,K.jsx)(u,{error:o.error??(y?void 0:d.error)??g.error}),(0,K.jsxs)(`div`,{style:{display:`flex`,flexWrap:`wrap`,gap:`0.5rem`},children:[w&&t.permissions.merge&&n===0?(0,K.jsx)(f,{look:`primary`,onPress:()=>b({revision:T}),children:r.merge}):null,w&&t.outdated&&t.permissions.edit?(0,K.jsx)(f,{isDisabled:o.fetching,onPress:()=>void k(),children:r.bringUpToDate}):null,t.status===`DRAFT`&&t.permissions.edit?(0,K.jsx)(f,{isDisabled:g.fetching,onPress:()=>void j(`OPEN`),children:r.openForReview}):null,t.status===`OPEN`&&t.permissions.edit?(0,K.jsx)(f,{look:`plain`,isDisabled:g.fetching,onPress:()=>void j(`DRAFT`),children:r.backToDraft}):null,w&&t.permissions.archive?(0,K.jsx)(f,{look:`plain`,isDisabled:g.fetching,onPress:()=>void j(`ARCHIVED`),children:r.archive}):null,t.status===`ARCHIVED`&&t.permissions.archive?(0,K.jsx)(f,{isDisabled:g.fetching,onPress:()=>void j(`DRAFT`),children:r.reopen}):null]}),(0,K.jsxs)(p,{title:r.mergeTitle(t.number),isOpen:y!==null,onClose:()=>b(null),children:[(0,K.jsx)(`p`,{children:r.mergeAbout(e.title)}),(0,K.jsx)(u,{error:d.error}),(0,K.jsxs)(`div`,{className:E.actions,children:[(0,K.jsx)(f,{onPress:()=>b(null),children:r.cancel}),(0,K.jsx)(f,{look:`primary`,isDisabled:d.fetching,onPress:()=>void A(),children:r.merge})]})]})]})}var Le=N(()=>o(()=>import(`./ask-n7kkvgrx.js`),__vite__mapDeps([0,1,2,3,4,5,6,7,8,9]),import.meta.url));w(`
  fragment ReviewRow on Review {
    id
    status
    outdated
    createdAt
    reviewer { id displayName }
  }
`);var Re=w(`
  mutation SubmitReview($space: ID!, $change: ID!, $input: SubmitReviewInput!) {
    submitReview(spaceId: $space, changeRequestId: $change, input: $input) { ...ReviewRow }
  }
`),ze=w(`
  mutation WithdrawReviewRequest($space: ID!, $change: ID!, $user: ID!) {
    withdrawReviewRequest(spaceId: $space, changeRequestId: $change, userId: $user) { userId }
  }
`);function Be({space:e,change:t,isOpen:n,onClose:r}){let i=D(),[a,o,l]=R(`review ${t.id}`),[{fetching:d,error:m},h]=c(Re),g=async n=>{let i=a.trim()?{markdown:a}:null;(await h({space:e,change:t.id,input:{status:n,...i?{comment:i}:{}}})).error||(l(a),s(),r())};return(0,K.jsxs)(p,{title:i.giveReview,isOpen:n,onClose:r,children:[(0,K.jsxs)(`label`,{className:E.field,children:[(0,K.jsx)(`span`,{className:E.label,children:i.reviewComment}),(0,K.jsx)(`textarea`,{className:E.input,value:a,dir:`auto`,autoFocus:!0,onChange:e=>o(e.target.value)}),(0,K.jsx)(`span`,{className:E.hint,children:i.markdownHint})]}),(0,K.jsx)(u,{error:m}),(0,K.jsxs)(`div`,{className:E.actions,children:[(0,K.jsx)(f,{isDisabled:d,onPress:()=>void g(`CHANGES_REQUESTED`),children:i.requestChanges}),(0,K.jsx)(f,{look:`primary`,isDisabled:d,onPress:()=>void g(`APPROVED`),children:i.approve})]})]})}function Ve({space:e,change:t}){let n=D(),r=j(),[i,a]=(0,G.useState)(!1),[{fetching:o,error:l},d]=c(ze),p=t.status===`OPEN`||t.status===`DRAFT`,m=t.requestedReviewers.nodes.some(e=>e.user.id===r.id),h=p&&(t.permissions.review||m)&&t.createdBy.id!==r.id,g=async n=>{(await d({space:e,change:t.id,user:n})).error||s()};return(0,K.jsxs)(`section`,{children:[(0,K.jsx)(`h2`,{children:n.reviews}),t.reviews.nodes.length+t.requestedReviewers.nodes.length===0?(0,K.jsx)(`p`,{className:L.about,children:n.noReviews}):null,(0,K.jsxs)(`ul`,{className:L.people,children:[t.reviews.nodes.map(e=>(0,K.jsxs)(`li`,{children:[(0,K.jsx)(v,{name:e.reviewer.displayName}),(0,K.jsx)(`bdi`,{children:e.reviewer.displayName}),e.status===`APPROVED`?(0,K.jsxs)(T,{tone:e.outdated?`neutral`:`good`,children:[(0,K.jsx)(F,{size:13,"aria-hidden":!0}),n.approved]}):(0,K.jsxs)(T,{tone:e.outdated?`neutral`:`bad`,children:[(0,K.jsx)(se,{size:13,"aria-hidden":!0}),n.changesRequested]}),e.outdated?(0,K.jsxs)(T,{children:[(0,K.jsx)(ae,{size:13,"aria-hidden":!0}),n.outdatedReview]}):null,(0,K.jsx)(`span`,{className:L.about,children:(0,K.jsx)(A,{at:e.createdAt})})]},e.id)),t.requestedReviewers.nodes.map(e=>(0,K.jsxs)(`li`,{children:[(0,K.jsx)(v,{name:e.user.displayName}),(0,K.jsx)(`bdi`,{children:e.user.displayName}),(0,K.jsxs)(T,{tone:`warn`,children:[(0,K.jsx)(ce,{size:13,"aria-hidden":!0}),n.wasAsked]}),t.permissions.requestReviewers&&p?(0,K.jsx)(f,{look:`plain`,isDisabled:o,"aria-label":n.withdrawFrom(e.user.displayName),onPress:()=>void g(e.user.id),children:n.withdraw}):null]},e.user.id))]}),(0,K.jsx)(u,{error:l}),(0,K.jsxs)(`div`,{style:{display:`grid`,gap:`0.7rem`,marginBlockStart:`0.8rem`},children:[h?(0,K.jsx)(`div`,{children:(0,K.jsx)(f,{look:`primary`,onPress:()=>a(!0),children:n.giveReview})}):null,t.permissions.requestReviewers&&p?(0,K.jsx)(G.Suspense,{fallback:null,children:(0,K.jsx)(Le,{space:e,change:t})}):null]}),(0,K.jsx)(Be,{space:e,change:t,isOpen:i,onClose:()=>a(!1)})]})}var He=N(async()=>({default:(await o(async()=>{let{ContentDifference:e}=await import(`./difference-DlFB96xI.js`);return{ContentDifference:e}},__vite__mapDeps([10,1,2,3,11,6,7,5,8,9,12]),import.meta.url)).ContentDifference})),Ue=w(`
  query ChangeRequestView($space: ID!, $id: ID!) {
    space(id: $space) {
      id
      changeRequest(id: $id) {
        id
        number
        subject
        description
        status
        outdated
        createdAt
        updatedAt
        commentsOpen
        createdBy { id displayName }
        permissions { comment edit archive requestReviewers review merge }
        revision { id landingPage { id path } }
        conflictsOpen: conflicts(first: 50, resolved: false) { nodes { ...Conflict } pageInfo { hasNextPage } }
        reviews(first: 50) { nodes { ...ReviewRow } }
        requestedReviewers(first: 50) { nodes { user { id displayName } requestedBy { id displayName } createdAt } }
      }
    }
  }
`),We=w(`
  query Conversation($space: ID!, $id: ID!, $after: String) {
    space(id: $space) {
      id
      changeRequest(id: $id) {
        id
        comments(first: 40, after: $after, status: ALL, orderBy: { field: POSTED_AT, direction: ASC }) {
          nodes { ...CommentThread }
          pageInfo { hasNextPage endCursor }
        }
      }
    }
  }
`),Ge=w(`
  query ChangeRequestDifference($space: ID!, $id: ID!) {
    space(id: $space) {
      id
      changeRequest(id: $id) { id changes(limit: 500) { ...Changes } }
    }
  }
`),Ke=w(`
  mutation DescribeChangeRequest($space: ID!, $id: ID!, $input: UpdateChangeRequestInput!) {
    updateChangeRequest(spaceId: $space, id: $id, input: $input) { id subject description updatedAt }
  }
`);function qe(e){return{object:`document`,data:{schemaVersion:1},nodes:e.split(/\n{2,}/u).map(e=>e.trim()).filter(Boolean).map(e=>({object:`block`,type:`paragraph`,isVoid:!1,data:{},nodes:[{object:`text`,leaves:[{object:`leaf`,text:e,marks:[]}]}]}))}}var $=e=>e?.nodes??[];function Je(e){let t=$(e).map(e=>e.type!==`paragraph`||e.nodes.some(e=>e.object!==`text`||e.leaves.some(e=>e.marks.length>0))?null:e.nodes.map(e=>e.object===`text`?e.leaves.map(e=>e.text).join(``):``).join(``));return t.some(e=>e===null)?null:t.join(`

`)}function Ye({space:e,change:t,onDone:n}){let r=D(),i=Je(t.description),[a,o]=(0,G.useState)(t.subject),[s,l]=(0,G.useState)(i??``),[{fetching:d,error:p},m]=c(Ke),h=async()=>{let r=i===null||s===i?{subject:a}:{subject:a,description:qe(s)};(await m({space:e,id:t.id,input:r})).error||n()};return(0,K.jsxs)(`form`,{className:L.form,style:{maxInlineSize:`46rem`,marginBlockEnd:`1.4rem`},onSubmit:e=>{e.preventDefault(),h()},children:[(0,K.jsxs)(`label`,{className:E.field,children:[(0,K.jsx)(`span`,{className:E.label,children:r.subject}),(0,K.jsx)(`input`,{className:E.input,value:a,dir:`auto`,autoFocus:!0,onChange:e=>o(e.target.value)})]}),i===null?(0,K.jsx)(`p`,{className:E.hint,children:r.descriptionHasForm}):(0,K.jsxs)(`label`,{className:E.field,children:[(0,K.jsx)(`span`,{className:E.label,children:r.description}),(0,K.jsx)(`textarea`,{className:E.input,value:s,dir:`auto`,onChange:e=>l(e.target.value)})]}),(0,K.jsx)(u,{error:p}),(0,K.jsxs)(`div`,{className:E.actions,children:[(0,K.jsx)(f,{onPress:n,children:r.cancel}),(0,K.jsx)(f,{look:`primary`,type:`submit`,isDisabled:d,children:r.save})]})]})}function Xe({space:e,change:t,version:n,after:r}){let i=D(),[a,o]=(0,G.useState)(!1),s=g(We,{space:e.id,id:t.id,after:r}),c={space:e.id,change:t.id};return(0,K.jsx)(y,{result:s,pick:e=>e.space?.changeRequest?.comments,children:({nodes:r,pageInfo:s})=>(0,K.jsxs)(K.Fragment,{children:[r.length===0?(0,K.jsx)(x,{children:i.noComments}):(0,K.jsx)(`ul`,{className:L.thread,children:r.map(e=>(0,K.jsx)(`li`,{children:(0,K.jsx)(xe,{comment:e,place:c,version:n})},e.id))}),s.hasNextPage?a?(0,K.jsx)(Xe,{space:e,change:t,version:n,after:s.endCursor}):(0,K.jsx)(`div`,{children:(0,K.jsx)(f,{onPress:()=>o(!0),children:i.showMore})}):null]})})}function Ze({space:e,change:t,version:n}){let r=D();return(0,K.jsxs)(`section`,{"aria-label":r.conversation,style:{display:`grid`,gap:`1rem`},children:[(0,K.jsx)(Xe,{space:e,change:t,version:n,after:null}),t.permissions.comment?(0,K.jsx)(ie,{on:{space:e.id,change:t.id,page:null,node:null}}):null]})}function Qe({space:e,change:t,version:n}){let r=g(Ge,{space:e.id,id:t.id}),i={space:e.id,change:t.id};return(0,K.jsx)(y,{result:r,pick:e=>e.space?.changeRequest,children:r=>(0,K.jsx)(G.Suspense,{fallback:(0,K.jsx)(C,{}),children:(0,K.jsx)(He,{space:e.id,changes:r.changes,after:n,...t.permissions.comment?{commentOn:i}:{}})})})}var $e=[`conversation`,`changes`,`conflicts`];function et({space:e,id:n}){let r=D(),[a]=k(),[o,s]=(0,G.useState)(!1),c=g(Ue,{space:e.id,id:n}),u=c.data?.space?.changeRequest?.subject;return ne(u===void 0?null:`${u||r.withoutSubject} | ${e.title}`),(0,K.jsx)(y,{result:c,pick:e=>e.space?.changeRequest,children:n=>{let c={kind:`change`,id:n.id,number:n.number},u=n.conflictsOpen.nodes.length,d=$e.find(e=>e===a.get(`tab`))??`conversation`,p=_(e.id,n.number);return(0,K.jsxs)(K.Fragment,{children:[(0,K.jsx)(te,{title:(0,K.jsx)(`bdi`,{children:n.subject||r.withoutSubject}),crumbs:[{href:t(e.id),title:e.title},{href:i(e.id),title:r.changeRequests}],badges:(0,K.jsxs)(`p`,{style:{display:`flex`,gap:`0.6rem`,alignItems:`center`,flexWrap:`wrap`},children:[(0,K.jsx)(re,{status:n.status}),n.outdated&&n.status!==`MERGED`?(0,K.jsx)(T,{tone:`warn`,children:r.outdated}):null,(0,K.jsxs)(`span`,{className:L.about,children:[`#`,n.number,` · `,(0,K.jsx)(`bdi`,{children:n.createdBy.displayName}),` · `,(0,K.jsx)(A,{at:n.createdAt})]}),n.permissions.edit&&n.status!==`MERGED`&&!o?(0,K.jsxs)(f,{look:`plain`,onPress:()=>s(!0),children:[(0,K.jsx)(ue,{size:15,"aria-hidden":!0}),r.describe]}):null,n.revision?.landingPage?(0,K.jsx)(M,{className:l(`normal`),href:`${p}/${n.revision.landingPage.path}`,children:r.readPages}):null]})}),o?(0,K.jsx)(Ye,{space:e.id,change:n,onDone:()=>s(!1)}):$(n.description).length>0?(0,K.jsx)(`div`,{style:{marginBlockEnd:`1.4rem`},children:(0,K.jsx)(P,{nodes:$(n.description)})}):null,(0,K.jsxs)(`nav`,{className:L.tabs,"aria-label":r.partsOfChange,children:[(0,K.jsx)(M,{href:p,"aria-current":d===`conversation`?`page`:void 0,children:r.conversation}),(0,K.jsx)(M,{href:`${p}?tab=changes`,"aria-current":d===`changes`?`page`:void 0,children:r.changes}),u>0||d===`conflicts`?(0,K.jsxs)(M,{href:`${p}?tab=conflicts`,"aria-current":d===`conflicts`?`page`:void 0,children:[r.conflicts,` `,u>0?`(${u})`:``]}):null]}),d===`changes`?(0,K.jsx)(Qe,{space:e,change:n,version:c}):d===`conflicts`?(0,K.jsx)(De,{space:e.id,change:n}):(0,K.jsxs)(`div`,{className:L.layout,children:[(0,K.jsx)(Ze,{space:e,change:n,version:c}),(0,K.jsxs)(`aside`,{className:L.side,"aria-label":r.reviewAndMerge,children:[(0,K.jsx)(Ie,{space:e,change:n,conflicts:u}),(0,K.jsx)(Ve,{space:e.id,change:n})]})]})]})}})}export{et as default};