const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["./ask-rbV5xRJ4.js","./rolldown-runtime-XKyaHtl9.js","./generated-CkfC2XF_.js","./generated-D5ciptPB.css","./useTextField-6MXJP1YB.js","./routes-DGcYFUoH.js","./main-Bhq9Fhq4.js","./main-9ZPdf26k.css","./useListState-FPnr8e9f.js","./routes-DNkbc0p9.css","./difference-B4AmXxnY.js","./comment-form-xGPjYo7H.js"])))=>i.map(i=>d[i]);
import{r as e}from"./rolldown-runtime-XKyaHtl9.js";import{C as t,D as n,Gn as r,H as i,I as a,O as o,P as s,R as c,S as l,U as u,Z as d,_ as f,a as p,c as m,d as h,g,h as _,i as v,l as y,m as b,n as x,p as S,r as C,s as w,t as T,u as E,ur as D,x as O}from"./generated-CkfC2XF_.js";import{a as k,d as A,f as j,g as ee,m as M,n as te,o as ne,r as re}from"./main-Bhq9Fhq4.js";import{a as N,c as P,i as F,n as I}from"./routes-DGcYFUoH.js";import{n as L,t as ie}from"./comment-form-xGPjYo7H.js";var R={name:`circle-dashed`,size:24,node:[[`path`,{d:`M10.1 2.182a10 10 0 0 1 3.8 0`,key:`5ilxe3`}],[`path`,{d:`M13.9 21.818a10 10 0 0 1-3.8 0`,key:`11zvb9`}],[`path`,{d:`M17.609 3.721a10 10 0 0 1 2.69 2.7`,key:`1iw5b2`}],[`path`,{d:`M2.182 13.9a10 10 0 0 1 0-3.8`,key:`c0bmvh`}],[`path`,{d:`M20.279 17.609a10 10 0 0 1-2.7 2.69`,key:`1ruxm7`}],[`path`,{d:`M21.818 10.1a10 10 0 0 1 0 3.8`,key:`qkgqxc`}],[`path`,{d:`M3.721 6.391a10 10 0 0 1 2.7-2.69`,key:`1mcia2`}],[`path`,{d:`M6.391 20.279a10 10 0 0 1-2.69-2.7`,key:`1fvljs`}]]};R.node;var ae=f(R),z={name:`circle-question-mark`,size:24,node:[[`circle`,{cx:`12`,cy:`12`,r:`10`,key:`1mglay`}],[`path`,{d:`M9 9.5a3 2.5 0 016 0c0 2-2 2-3 3.5`,key:`1awbb0`}],[`path`,{d:`M12 17h.01`,key:`p32p05`}]],aliases:[`help-circle`,`circle-help`]};z.node;var oe=f(z),B={name:`circle-x`,size:24,node:[[`circle`,{cx:`12`,cy:`12`,r:`10`,key:`1mglay`}],[`path`,{d:`m15 9-6 6`,key:`1uzhvr`}],[`path`,{d:`m9 9 6 6`,key:`z0biqf`}]],aliases:[`x-circle`]};B.node;var se=f(B),V={name:`clock`,size:24,node:[[`circle`,{cx:`12`,cy:`12`,r:`10`,key:`1mglay`}],[`path`,{d:`M12 6v6l4 2`,key:`mmk7yg`}]]};V.node;var ce=f(V),H={name:`face-slightly-smiling-plus`,size:24,node:[[`path`,{d:`M13.267 2.08a10 10 0 108.653 8.653`,key:`1wbpyh`}],[`path`,{d:`M15 10V9`,key:`4dkmfx`}],[`path`,{d:`M16 5h6`,key:`1vod17`}],[`path`,{d:`M16.472 15a6 6 0 01-8.943 0`,key:`7qomzy`}],[`path`,{d:`M19 2v6`,key:`4bpg5p`}],[`path`,{d:`M9 10V9`,key:`1lazqi`}]],aliases:[`smile-plus`]};H.node;var le=f(H),U={name:`pencil`,size:24,node:[[`path`,{d:`M21.174 6.812a1 1 0 0 0-3.986-3.987L3.842 16.174a2 2 0 0 0-.5.83l-1.321 4.352a.5.5 0 0 0 .623.622l4.353-1.32a2 2 0 0 0 .83-.497z`,key:`1a8usu`}],[`path`,{d:`m15 5 4 4`,key:`1mk7zo`}]]};U.node;var ue=f(U),W=e(D(),1),G=t();T(`
  fragment Reactions on Reactable {
    __typename
    id
    reactions { emoji count users { user { id displayName } } }
  }
`),T(`
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
`),T(`
  fragment ReplyRow on CommentReply {
    ...Reactions
    postedAt
    postedBy { id displayName }
    body { document }
    permissions { delete }
  }
`);var de=T(`
  query Replies($comment: ID!, $after: String) {
    node(id: $comment) {
      __typename
      id
      ... on Comment {
        replies(first: 40, after: $after) { nodes { ...ReplyRow } pageInfo { hasNextPage endCursor } }
      }
    }
  }
`),fe=T(`
  mutation ReplyToComment($space: ID!, $change: ID, $comment: ID!, $input: PostCommentReplyInput!) {
    replyToComment(spaceId: $space, changeRequestId: $change, commentId: $comment, input: $input) { id }
  }
`),pe=T(`
  mutation ResolveComment($space: ID!, $change: ID, $id: ID!, $input: UpdateCommentInput!) {
    updateComment(spaceId: $space, changeRequestId: $change, id: $id, input: $input) { id status }
  }
`),me=T(`
  mutation DeleteComment($space: ID!, $change: ID, $id: ID!) {
    deleteComment(spaceId: $space, changeRequestId: $change, id: $id) { deletedId }
  }
`),he=T(`
  mutation DeleteCommentReply($space: ID!, $change: ID, $comment: ID!, $id: ID!) {
    deleteCommentReply(spaceId: $space, changeRequestId: $change, commentId: $comment, id: $id) { deletedId }
  }
`),ge=T(`
  mutation AddReaction($subject: ID!, $input: ReactionInput!) {
    addReaction(subjectId: $subject, input: $input) { subject { ...Reactions } }
  }
`),_e=T(`
  mutation RemoveReaction($subject: ID!, $input: ReactionInput!) {
    removeReaction(subjectId: $subject, input: $input) { subject { ...Reactions } }
  }
`),ve=[`1f44d`,`1f389`,`2764`,`1f680`,`1f440`,`1f914`],K=e=>e.document.nodes??[];function q({subject:e,allowed:t}){let n=O(),a=A(),[o,s]=r(ge),[c,l]=r(_e),[f,h]=(0,W.useState)(null),g=t=>f?.emoji===t?f.mine:e.reactions.some(e=>e.emoji===t&&e.users.some(({user:e})=>e.id===a.id)),v=t=>{let n=e.reactions.find(e=>e.emoji===t),r=n?.users.some(({user:e})=>e.id===a.id)??!1;return(n?.count??0)+(g(t)===r?0:r?-1:1)},y=async t=>{let n=!g(t);h({emoji:t,mine:n}),await(n?s:l)({subject:e.id,input:{emoji:t}}),h(null)},b=[...new Set([...e.reactions.map(e=>e.emoji),...f?[f.emoji]:[]])].filter(e=>v(e)>0);return b.length===0&&!t?null:(0,G.jsxs)(G.Fragment,{children:[(0,G.jsxs)(`div`,{className:I.reactions,children:[b.map(n=>{let r=e.reactions.find(e=>e.emoji===n)?.users.map(({user:e})=>e.displayName)??[];return(0,G.jsxs)(`button`,{type:`button`,className:I.reaction,"aria-pressed":g(n),disabled:!t||f!==null,title:r.join(`, `),onClick:()=>void y(n),children:[j(n),` `,v(n)]},n)}),t?(0,G.jsxs)(i,{children:[(0,G.jsx)(m,{look:`icon`,"aria-label":n.addReaction,children:(0,G.jsx)(le,{size:17,"aria-hidden":!0})}),(0,G.jsx)(d,{className:_.popover??``,children:(0,G.jsx)(u,{className:I.emojis??``,"aria-label":n.addReaction,children:({close:e})=>(0,G.jsx)(G.Fragment,{children:ve.map(t=>(0,G.jsx)(`button`,{type:`button`,"aria-label":n.emojis[t]??t,onClick:()=>{e(),g(t)||y(t)},children:j(t)},t))})})})]}):null]}),(0,G.jsx)(p,{error:o.error??c.error})]})}function ye({place:e,comment:t}){let n=O(),[i,a,o]=L(`reply ${t}`),[{fetching:s,error:l},u]=r(fe),d=async()=>{i.trim()!==``&&((await u({space:e.space,change:e.change,comment:t,input:{body:{markdown:i}}})).error||(o(),c()))};return(0,G.jsxs)(`form`,{className:I.form,onSubmit:e=>{e.preventDefault(),d()},children:[(0,G.jsxs)(`label`,{className:_.field,children:[(0,G.jsx)(`span`,{className:`hidden-text`,children:n.reply}),(0,G.jsx)(`textarea`,{className:_.input,style:{minBlockSize:`2.6rem`},placeholder:n.replyPlaceholder,rows:1,value:i,dir:`auto`,onChange:e=>a(e.target.value),onKeyDown:e=>{e.key===`Enter`&&(e.ctrlKey||e.metaKey)&&d()}})]}),(0,G.jsx)(p,{error:l}),i.trim()?(0,G.jsx)(`div`,{className:_.actions,children:(0,G.jsx)(m,{type:`submit`,isDisabled:s,children:n.reply})}):null]})}function J({place:e,comment:t,after:n}){let r=O(),[i,a]=(0,W.useState)(!1),o=v(de,{comment:t.id,after:n});return(0,G.jsx)(x,{result:o,pick:e=>e.node?.__typename===`Comment`?e.node.replies:null,children:({nodes:n,pageInfo:o})=>(0,G.jsxs)(G.Fragment,{children:[n.map(n=>(0,G.jsx)(`li`,{children:(0,G.jsx)(be,{place:e,comment:t,reply:n})},n.id)),o.hasNextPage?i?(0,G.jsx)(J,{place:e,comment:t,after:o.endCursor}):(0,G.jsx)(`li`,{children:(0,G.jsx)(m,{look:`plain`,onPress:()=>a(!0),children:r.showMore})}):null]})})}function be({place:e,comment:t,reply:n}){let i=O(),[{fetching:a,error:o},s]=r(he),[l,u]=(0,W.useState)(!1),d=async()=>{(await s({...e,comment:t.id,id:n.id})).error||c()};return(0,G.jsxs)(G.Fragment,{children:[(0,G.jsxs)(`div`,{className:I.replyHead,children:[(0,G.jsx)(h,{name:n.postedBy.displayName}),(0,G.jsx)(`strong`,{children:(0,G.jsx)(`bdi`,{children:n.postedBy.displayName})}),(0,G.jsx)(`span`,{className:I.about,children:(0,G.jsx)(k,{at:n.postedAt})}),n.permissions.delete?(0,G.jsx)(m,{look:`plain`,isDisabled:a,onPress:()=>l?void d():u(!0),children:l?i.deleteForGood:i.delete}):null]}),(0,G.jsx)(N,{nodes:K(n.body)}),(0,G.jsx)(q,{subject:n,allowed:t.permissions.react}),(0,G.jsx)(p,{error:o})]})}function xe({comment:e,place:t,version:n}){let i=O(),[a,o]=r(pe),[l,u]=r(me),[d,f]=(0,W.useState)(!1),g=e.status===`RESOLVED`,_=async e=>{let{error:t}=await e;t||c()},v={space:t.space,change:t.change};return(0,G.jsxs)(`article`,{className:I.comment,"aria-label":i.commentBy(e.postedBy.displayName),id:`comment-${e.id}`,children:[(0,G.jsxs)(`header`,{className:I.commentHead,children:[(0,G.jsx)(h,{name:e.postedBy.displayName}),(0,G.jsx)(`strong`,{children:(0,G.jsx)(`bdi`,{children:e.postedBy.displayName})}),(0,G.jsxs)(`span`,{className:I.about,children:[(0,G.jsx)(k,{at:e.postedAt}),e.editedAt?` · ${i.edited}`:``]}),g?(0,G.jsx)(w,{tone:`good`,children:i.resolved}):null,(0,G.jsxs)(`span`,{className:`push`,style:{marginInlineStart:`auto`,display:`flex`,gap:`0.2rem`},children:[e.permissions.resolve?(0,G.jsx)(m,{look:`plain`,isDisabled:a.fetching,onPress:()=>void _(o({...v,id:e.id,input:{resolved:!g}})),children:g?i.reopen:i.resolve}):null,e.permissions.delete?d?(0,G.jsx)(m,{look:`plain`,isDisabled:l.fetching,onPress:()=>void _(u({...v,id:e.id})),children:i.deleteForGood}):(0,G.jsx)(m,{look:`plain`,onPress:()=>f(!0),children:i.delete}):null]})]}),(0,G.jsxs)(`div`,{className:I.commentBody,children:[e.target.page?(0,G.jsxs)(`p`,{className:I.about,children:[i.about,` `,(0,G.jsx)(M,{href:s(t.space,n,e.target.page.path),children:(0,G.jsx)(`bdi`,{children:e.target.page.title})}),e.target.node?.preview?(0,G.jsxs)(G.Fragment,{children:[`: `,(0,G.jsxs)(`bdi`,{children:[`“`,e.target.node.preview,`”`]})]}):null,e.target.page.outdated?` (${i.changedSince})`:``]}):null,(0,G.jsx)(N,{nodes:K(e.body)}),(0,G.jsx)(q,{subject:e,allowed:e.permissions.react}),e.replyCount>0?(0,G.jsx)(`ul`,{className:I.replies,children:(0,G.jsx)(J,{place:t,comment:e,after:null})}):null,(0,G.jsx)(p,{error:a.error??l.error}),e.permissions.reply&&!g?(0,G.jsx)(ye,{place:t,comment:e.id}):null]})]})}T(`
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
`);var Se=T(`
  mutation ResolveConflict($space: ID!, $change: ID!, $id: ID!, $input: ResolveConflictInput!) {
    resolveConflict(spaceId: $space, changeRequestId: $change, id: $id, input: $input) { id resolution resolvedAt }
  }
`),Ce=T(`
  query TitleOfPage($space: ID!, $page: ID!, $change: ID!) {
    page(spaceId: $space, id: $page, changeRequestId: $change) { id title }
  }
`);function Y({side:e}){let t=O();if(e===null)return(0,G.jsx)(`p`,{className:I.about,children:t.notThere});if(e.object===`block`)return(0,G.jsx)(F,{nodes:[e]});if(Array.isArray(e.nodes))return(0,G.jsx)(F,{nodes:e.nodes});let n=e.value;return typeof n==`string`||typeof n==`number`?(0,G.jsx)(`p`,{dir:`auto`,children:String(n)}):(0,G.jsx)(`pre`,{tabIndex:0,style:{whiteSpace:`pre-wrap`},children:JSON.stringify(n??e,null,2)})}function we({space:e,change:t,page:n}){let r=v(Ce,{space:e,change:t,page:n});return(0,G.jsx)(`strong`,{children:(0,G.jsx)(`bdi`,{children:r.data?.page?.title??``})})}var Te=new Set([`BLOCK`,`CELL`]);function Ee({space:e,change:t,conflict:n}){let i=O(),[{fetching:a,error:o},s]=r(Se),l=async r=>{(await s({space:e,change:t,id:n.id,input:{resolution:r}})).error||c()};return(0,G.jsx)(`article`,{className:I.change,children:(0,G.jsxs)(`div`,{className:I.changeBody,children:[(0,G.jsxs)(`div`,{style:{display:`flex`,gap:`0.6rem`,alignItems:`center`,flexWrap:`wrap`},children:[n.pageId?(0,G.jsx)(we,{space:e,change:t,page:n.pageId}):null,(0,G.jsx)(w,{tone:`warn`,children:i.conflictKinds[n.kind]}),n.field?(0,G.jsx)(`code`,{children:n.field}):null]}),(0,G.jsxs)(`div`,{className:I.sides,children:[(0,G.jsxs)(`div`,{className:I.block,"data-kind":`edited`,children:[(0,G.jsx)(`h4`,{children:i.ours}),(0,G.jsx)(Y,{side:n.ours})]}),(0,G.jsxs)(`div`,{className:I.block,"data-kind":`edited`,children:[(0,G.jsx)(`h4`,{children:i.theirs}),(0,G.jsx)(Y,{side:n.theirs})]})]}),(0,G.jsx)(p,{error:o}),(0,G.jsxs)(`div`,{className:_.actions,children:[(0,G.jsx)(m,{isDisabled:a,onPress:()=>void l(`OURS`),children:i.takeOurs}),(0,G.jsx)(m,{isDisabled:a,onPress:()=>void l(`THEIRS`),children:i.takeTheirs}),Te.has(n.kind)?(0,G.jsx)(m,{isDisabled:a,onPress:()=>void l(`BOTH`),children:i.takeBoth}):null]})]})})}function De({space:e,change:t}){let n=O(),{nodes:r,pageInfo:i}=t.conflictsOpen;return r.length===0?(0,G.jsx)(E,{children:n.allResolved}):(0,G.jsxs)(`div`,{className:I.changes,children:[(0,G.jsx)(`p`,{children:n.conflictsAbout}),r.map(n=>(0,G.jsx)(Ee,{space:e,change:t.id,conflict:n},n.id)),i.hasNextPage?(0,G.jsx)(`p`,{className:I.about,children:n.moreConflicts}):null]})}var X=e=>e?`met`:`unmet`;function Oe(e,t){let n=t.reviews.filter(e=>!e.outdated),r=new Set(n.filter(e=>e.status===`APPROVED`).map(e=>e.reviewer.id));switch(e.rule){case`require_at_least_one_review`:return X(r.size>0);case`require_all_reviews_approved`:return X(t.waiting===0&&n.every(e=>e.status===`APPROVED`));case`require_specific_reviewers`:return X(e.userIds.every(e=>r.has(e)));case`require_one_of_specific_reviewers`:return X(e.userIds.some(e=>r.has(e)));case`require_up_to_date_change_request`:return X(!t.outdated);case`require_change_request_subject`:return X(t.subject.trim()!==``);case`require_change_request_description`:return X(t.hasDescription);default:return`unknown`}}var ke=(e,t)=>e.some(e=>e.rule===`allow_bypass`&&e.userIds.includes(t)),Ae=T(`
  query MergeRules($space: ID!) {
    space(id: $space) {
      id
      typedMergeRules { type rules { rule userIds users { id displayName } expression } }
      organization { id typedMergeRules { type rules { rule userIds users { id displayName } expression } } }
    }
  }
`),je=T(`
  mutation UpdateFromSpace($space: ID!, $id: ID!, $revision: ID) {
    pullChangeRequest(spaceId: $space, id: $id, expectedRevision: $revision) { result changeRequest { id outdated } }
  }
`),Me=T(`
  mutation MergeChangeRequest($space: ID!, $id: ID!, $revision: ID) {
    mergeChangeRequest(spaceId: $space, id: $id, expectedRevision: $revision) { result changeRequest { id status outdated } }
  }
`),Ne=T(`
  mutation SetStatusOfChangeRequest($space: ID!, $id: ID!, $input: UpdateChangeRequestInput!) {
    updateChangeRequest(spaceId: $space, id: $id, input: $input) { id status }
  }
`),Pe={met:P,unmet:g,unknown:oe},Z={met:`var(--good)`,unmet:`var(--bad)`,unknown:`var(--ink-soft)`};function Fe(e,t){let n=A(),r=v(Ae,{space:e}),i=r.data?.space?.typedMergeRules,a=(i?.type===`inherit`?r.data?.space?.organization.typedMergeRules:i)?.rules??[],o={outdated:t.outdated,subject:t.subject,hasDescription:(t.description?.nodes?.length??0)>0,waiting:t.requestedReviewers.nodes.length,reviews:t.reviews.nodes,viewer:n.id};return{checks:a.filter(e=>e.rule!==`allow_bypass`).map(e=>({rule:e,state:Oe(e,o)})),bypass:ke(a,n.id)}}function Ie({space:e,change:t,conflicts:i}){let a=O(),{checks:o,bypass:s}=Fe(e.id,t),[l,u]=r(je),[d,f]=r(Me),[h,v]=r(Ne),[b,x]=(0,W.useState)(!1),[C,w]=(0,W.useState)(null),T={space:e.id,id:t.id},E=t.status===`OPEN`||t.status===`DRAFT`,D=t.revision?.id??null,k=async()=>{let{data:e,error:t}=await u({...T,revision:D});t||(w(e?.pullChangeRequest?.result===`CONFLICTS`?a.hasConflicts:a.isUpToDate),c())},A=async()=>{let{data:e,error:t}=await f({...T,revision:D});t||(x(!1),w(e?.mergeChangeRequest?.result===`CONFLICTS`?a.hasConflicts:null),c())},j=async e=>{let{error:t}=await v({...T,input:{status:e}});t||c()};return t.status===`MERGED`?(0,G.jsx)(S,{tone:`good`,children:(0,G.jsx)(`strong`,{children:a.isMerged})}):(0,G.jsxs)(`section`,{className:I.merge,"aria-label":a.merge,children:[t.status===`ARCHIVED`?(0,G.jsx)(`p`,{children:a.isArchived}):null,E?(0,G.jsxs)(`ul`,{className:I.checks,"aria-label":a.checks,children:[o.map(({rule:e,state:t},n)=>{let r=Pe[t],i=e.users.map(e=>e.displayName).join(`, `);return(0,G.jsxs)(`li`,{children:[(0,G.jsx)(r,{size:16,color:Z[t],role:`img`,"aria-label":a.checkStates[t]}),(0,G.jsxs)(`span`,{children:[a.rules[e.rule]??e.rule,i?(0,G.jsxs)(G.Fragment,{children:[`: `,(0,G.jsx)(`bdi`,{children:i})]}):null,e.expression?(0,G.jsxs)(G.Fragment,{children:[` `,(0,G.jsx)(`code`,{children:e.expression})]}):null]})]},n)}),(0,G.jsxs)(`li`,{children:[i===0?(0,G.jsx)(P,{size:16,color:Z.met,role:`img`,"aria-label":a.checkStates.met}):(0,G.jsx)(g,{size:16,color:Z.unmet,role:`img`,"aria-label":a.checkStates.unmet}),(0,G.jsx)(`span`,{children:i===0?a.noOpenConflicts:(0,G.jsx)(M,{href:`${n(e.id,t.number)}?tab=conflicts`,children:a.resolveConflicts(i)})})]})]}):null,s&&E?(0,G.jsx)(`p`,{className:_.hint,children:a.mayBypass}):null,t.outdated&&E?(0,G.jsx)(S,{tone:`warn`,children:a.outdatedAbout}):null,C?(0,G.jsx)(S,{tone:C===a.hasConflicts?`warn`:`good`,role:`status`,children:C}):null,(0,G.jsx)(p,{error:l.error??(b?void 0:d.error)??h.error}),(0,G.jsxs)(`div`,{style:{display:`flex`,flexWrap:`wrap`,gap:`0.5rem`},children:[E&&t.permissions.merge&&i===0?(0,G.jsx)(m,{look:`primary`,onPress:()=>x(!0),children:a.merge}):null,E&&t.outdated&&t.permissions.edit?(0,G.jsx)(m,{isDisabled:l.fetching,onPress:()=>void k(),children:a.bringUpToDate}):null,t.status===`DRAFT`&&t.permissions.edit?(0,G.jsx)(m,{isDisabled:h.fetching,onPress:()=>void j(`OPEN`),children:a.openForReview}):null,t.status===`OPEN`&&t.permissions.edit?(0,G.jsx)(m,{look:`plain`,isDisabled:h.fetching,onPress:()=>void j(`DRAFT`),children:a.backToDraft}):null,E&&t.permissions.archive?(0,G.jsx)(m,{look:`plain`,isDisabled:h.fetching,onPress:()=>void j(`ARCHIVED`),children:a.archive}):null,t.status===`ARCHIVED`&&t.permissions.archive?(0,G.jsx)(m,{isDisabled:h.fetching,onPress:()=>void j(`DRAFT`),children:a.reopen}):null]}),(0,G.jsxs)(y,{title:a.mergeTitle(t.number),isOpen:b,onClose:()=>x(!1),children:[(0,G.jsx)(`p`,{children:a.mergeAbout(e.title)}),(0,G.jsx)(p,{error:d.error}),(0,G.jsxs)(`div`,{className:_.actions,children:[(0,G.jsx)(m,{onPress:()=>x(!1),children:a.cancel}),(0,G.jsx)(m,{look:`primary`,isDisabled:d.fetching,onPress:()=>void A(),children:a.merge})]})]})]})}var Le=(0,W.lazy)(()=>l(()=>import(`./ask-rbV5xRJ4.js`),__vite__mapDeps([0,1,2,3,4,5,6,7,8,9]),import.meta.url));T(`
  fragment ReviewRow on Review {
    id
    status
    outdated
    createdAt
    reviewer { id displayName }
  }
`);var Re=T(`
  mutation SubmitReview($space: ID!, $change: ID!, $input: SubmitReviewInput!) {
    submitReview(spaceId: $space, changeRequestId: $change, input: $input) { ...ReviewRow }
  }
`),ze=T(`
  mutation WithdrawReviewRequest($space: ID!, $change: ID!, $user: ID!) {
    withdrawReviewRequest(spaceId: $space, changeRequestId: $change, userId: $user) { userId }
  }
`);function Be({space:e,change:t,isOpen:n,onClose:i}){let a=O(),[o,s,l]=L(`review ${t.id}`),[{fetching:u,error:d},f]=r(Re),h=async n=>{let r=o.trim()?{markdown:o}:null;(await f({space:e,change:t.id,input:{status:n,...r?{comment:r}:{}}})).error||(l(),c(),i())};return(0,G.jsxs)(y,{title:a.giveReview,isOpen:n,onClose:i,children:[(0,G.jsxs)(`label`,{className:_.field,children:[(0,G.jsx)(`span`,{className:_.label,children:a.reviewComment}),(0,G.jsx)(`textarea`,{className:_.input,value:o,dir:`auto`,autoFocus:!0,onChange:e=>s(e.target.value)}),(0,G.jsx)(`span`,{className:_.hint,children:a.markdownHint})]}),(0,G.jsx)(p,{error:d}),(0,G.jsxs)(`div`,{className:_.actions,children:[(0,G.jsx)(m,{isDisabled:u,onPress:()=>void h(`CHANGES_REQUESTED`),children:a.requestChanges}),(0,G.jsx)(m,{look:`primary`,isDisabled:u,onPress:()=>void h(`APPROVED`),children:a.approve})]})]})}function Ve({space:e,change:t}){let n=O(),i=A(),[a,o]=(0,W.useState)(!1),[{fetching:s,error:l},u]=r(ze),d=t.status===`OPEN`||t.status===`DRAFT`,f=t.requestedReviewers.nodes.some(e=>e.user.id===i.id),g=d&&(t.permissions.review||f)&&t.createdBy.id!==i.id,_=async n=>{(await u({space:e,change:t.id,user:n})).error||c()};return(0,G.jsxs)(`section`,{children:[(0,G.jsx)(`h2`,{children:n.reviews}),t.reviews.nodes.length+t.requestedReviewers.nodes.length===0?(0,G.jsx)(`p`,{className:I.about,children:n.noReviews}):null,(0,G.jsxs)(`ul`,{className:I.people,children:[t.reviews.nodes.map(e=>(0,G.jsxs)(`li`,{children:[(0,G.jsx)(h,{name:e.reviewer.displayName}),(0,G.jsx)(`bdi`,{children:e.reviewer.displayName}),e.status===`APPROVED`?(0,G.jsxs)(w,{tone:e.outdated?`neutral`:`good`,children:[(0,G.jsx)(P,{size:13,"aria-hidden":!0}),n.approved]}):(0,G.jsxs)(w,{tone:e.outdated?`neutral`:`bad`,children:[(0,G.jsx)(se,{size:13,"aria-hidden":!0}),n.changesRequested]}),e.outdated?(0,G.jsxs)(w,{children:[(0,G.jsx)(ae,{size:13,"aria-hidden":!0}),n.outdatedReview]}):null,(0,G.jsx)(`span`,{className:I.about,children:(0,G.jsx)(k,{at:e.createdAt})})]},e.id)),t.requestedReviewers.nodes.map(e=>(0,G.jsxs)(`li`,{children:[(0,G.jsx)(h,{name:e.user.displayName}),(0,G.jsx)(`bdi`,{children:e.user.displayName}),(0,G.jsxs)(w,{tone:`warn`,children:[(0,G.jsx)(ce,{size:13,"aria-hidden":!0}),n.wasAsked]}),t.permissions.requestReviewers&&d?(0,G.jsx)(m,{look:`plain`,isDisabled:s,"aria-label":n.withdrawFrom(e.user.displayName),onPress:()=>void _(e.user.id),children:n.withdraw}):null]},e.user.id))]}),(0,G.jsx)(p,{error:l}),(0,G.jsxs)(`div`,{style:{display:`grid`,gap:`0.7rem`,marginBlockStart:`0.8rem`},children:[g?(0,G.jsx)(`div`,{children:(0,G.jsx)(m,{look:`primary`,onPress:()=>o(!0),children:n.giveReview})}):null,t.permissions.requestReviewers&&d?(0,G.jsx)(W.Suspense,{fallback:null,children:(0,G.jsx)(Le,{space:e,change:t})}):null]}),(0,G.jsx)(Be,{space:e,change:t,isOpen:a,onClose:()=>o(!1)})]})}var He=(0,W.lazy)(async()=>({default:(await l(async()=>{let{ContentDifference:e}=await import(`./difference-B4AmXxnY.js`);return{ContentDifference:e}},__vite__mapDeps([10,1,2,3,6,7,5,8,9,11]),import.meta.url)).ContentDifference})),Ue=T(`
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
`),We=T(`
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
`),Ge=T(`
  query ChangeRequestDifference($space: ID!, $id: ID!) {
    space(id: $space) {
      id
      changeRequest(id: $id) { id changes(limit: 500) { ...Changes } }
    }
  }
`),Ke=T(`
  mutation DescribeChangeRequest($space: ID!, $id: ID!, $input: UpdateChangeRequestInput!) {
    updateChangeRequest(spaceId: $space, id: $id, input: $input) { id subject description updatedAt }
  }
`);function qe(e){return{object:`document`,data:{schemaVersion:1},nodes:e.split(/\n{2,}/u).map(e=>e.trim()).filter(Boolean).map(e=>({object:`block`,type:`paragraph`,isVoid:!1,data:{},nodes:[{object:`text`,leaves:[{object:`leaf`,text:e,marks:[]}]}]}))}}var Q=e=>e?.nodes??[];function Je(e){let t=Q(e).map(e=>e.type!==`paragraph`||e.nodes.some(e=>e.object!==`text`||e.leaves.some(e=>e.marks.length>0))?null:e.nodes.map(e=>e.object===`text`?e.leaves.map(e=>e.text).join(``):``).join(``));return t.some(e=>e===null)?null:t.join(`

`)}function Ye({space:e,change:t,onDone:n}){let i=O(),a=Je(t.description),[o,s]=(0,W.useState)(t.subject),[c,l]=(0,W.useState)(a??``),[{fetching:u,error:d},f]=r(Ke),h=async()=>{let r=a===null||c===a?{subject:o}:{subject:o,description:qe(c)};(await f({space:e,id:t.id,input:r})).error||n()};return(0,G.jsxs)(`form`,{className:I.form,style:{maxInlineSize:`46rem`,marginBlockEnd:`1.4rem`},onSubmit:e=>{e.preventDefault(),h()},children:[(0,G.jsxs)(`label`,{className:_.field,children:[(0,G.jsx)(`span`,{className:_.label,children:i.subject}),(0,G.jsx)(`input`,{className:_.input,value:o,dir:`auto`,autoFocus:!0,onChange:e=>s(e.target.value)})]}),a===null?(0,G.jsx)(`p`,{className:_.hint,children:i.descriptionHasForm}):(0,G.jsxs)(`label`,{className:_.field,children:[(0,G.jsx)(`span`,{className:_.label,children:i.description}),(0,G.jsx)(`textarea`,{className:_.input,value:c,dir:`auto`,onChange:e=>l(e.target.value)})]}),(0,G.jsx)(p,{error:d}),(0,G.jsxs)(`div`,{className:_.actions,children:[(0,G.jsx)(m,{onPress:n,children:i.cancel}),(0,G.jsx)(m,{look:`primary`,type:`submit`,isDisabled:u,children:i.save})]})]})}function $({space:e,change:t,version:n,after:r}){let i=O(),[a,o]=(0,W.useState)(!1),s=v(We,{space:e.id,id:t.id,after:r}),c={space:e.id,change:t.id};return(0,G.jsx)(x,{result:s,pick:e=>e.space?.changeRequest?.comments,children:({nodes:r,pageInfo:s})=>(0,G.jsxs)(G.Fragment,{children:[r.length===0?(0,G.jsx)(E,{children:i.noComments}):(0,G.jsx)(`ul`,{className:I.thread,children:r.map(e=>(0,G.jsx)(`li`,{children:(0,G.jsx)(xe,{comment:e,place:c,version:n})},e.id))}),s.hasNextPage?a?(0,G.jsx)($,{space:e,change:t,version:n,after:s.endCursor}):(0,G.jsx)(`div`,{children:(0,G.jsx)(m,{onPress:()=>o(!0),children:i.showMore})}):null]})})}function Xe({space:e,change:t,version:n}){let r=O();return(0,G.jsxs)(`section`,{"aria-label":r.conversation,style:{display:`grid`,gap:`1rem`},children:[(0,G.jsx)($,{space:e,change:t,version:n,after:null}),t.permissions.comment?(0,G.jsx)(ie,{on:{space:e.id,change:t.id,page:null,node:null}}):null]})}function Ze({space:e,change:t,version:n}){let r=v(Ge,{space:e.id,id:t.id}),i={space:e.id,change:t.id};return(0,G.jsx)(x,{result:r,pick:e=>e.space?.changeRequest,children:r=>(0,G.jsx)(W.Suspense,{fallback:(0,G.jsx)(C,{}),children:(0,G.jsx)(He,{space:e.id,changes:r.changes,after:n,...t.permissions.comment?{commentOn:i}:{}})})})}var Qe=[`conversation`,`changes`,`conflicts`];function $e({space:e,id:t}){let r=O(),[i]=ee(),[s,c]=(0,W.useState)(!1),l=v(Ue,{space:e.id,id:t}),u=l.data?.space?.changeRequest?.subject;return ne(u===void 0?null:`${u||r.withoutSubject} | ${e.title}`),(0,G.jsx)(x,{result:l,pick:e=>e.space?.changeRequest,children:t=>{let l={kind:`change`,id:t.id,number:t.number},u=t.conflictsOpen.nodes.length,d=Qe.find(e=>e===i.get(`tab`))??`conversation`,f=n(e.id,t.number);return(0,G.jsxs)(G.Fragment,{children:[(0,G.jsx)(te,{title:(0,G.jsx)(`bdi`,{children:t.subject||r.withoutSubject}),crumbs:[{href:a(e.id),title:e.title},{href:o(e.id),title:r.changeRequests}],badges:(0,G.jsxs)(`p`,{style:{display:`flex`,gap:`0.6rem`,alignItems:`center`,flexWrap:`wrap`},children:[(0,G.jsx)(re,{status:t.status}),t.outdated&&t.status!==`MERGED`?(0,G.jsx)(w,{tone:`warn`,children:r.outdated}):null,(0,G.jsxs)(`span`,{className:I.about,children:[`#`,t.number,` · `,(0,G.jsx)(`bdi`,{children:t.createdBy.displayName}),` · `,(0,G.jsx)(k,{at:t.createdAt})]}),t.permissions.edit&&t.status!==`MERGED`&&!s?(0,G.jsxs)(m,{look:`plain`,onPress:()=>c(!0),children:[(0,G.jsx)(ue,{size:15,"aria-hidden":!0}),r.describe]}):null,t.revision?.landingPage?(0,G.jsx)(M,{className:b(`normal`),href:`${f}/${t.revision.landingPage.path}`,children:r.readPages}):null]})}),s?(0,G.jsx)(Ye,{space:e.id,change:t,onDone:()=>c(!1)}):Q(t.description).length>0?(0,G.jsx)(`div`,{style:{marginBlockEnd:`1.4rem`},children:(0,G.jsx)(N,{nodes:Q(t.description)})}):null,(0,G.jsxs)(`nav`,{className:I.tabs,"aria-label":r.partsOfChange,children:[(0,G.jsx)(M,{href:f,"aria-current":d===`conversation`?`page`:void 0,children:r.conversation}),(0,G.jsx)(M,{href:`${f}?tab=changes`,"aria-current":d===`changes`?`page`:void 0,children:r.changes}),u>0||d===`conflicts`?(0,G.jsxs)(M,{href:`${f}?tab=conflicts`,"aria-current":d===`conflicts`?`page`:void 0,children:[r.conflicts,` `,u>0?`(${u})`:``]}):null]}),d===`changes`?(0,G.jsx)(Ze,{space:e,change:t,version:l}):d===`conflicts`?(0,G.jsx)(De,{space:e.id,change:t}):(0,G.jsxs)(`div`,{className:I.layout,children:[(0,G.jsx)(Xe,{space:e,change:t,version:l}),(0,G.jsxs)(`aside`,{className:I.side,"aria-label":r.reviewAndMerge,children:[(0,G.jsx)(Ie,{space:e,change:t,conflicts:u}),(0,G.jsx)(Ve,{space:e.id,change:t})]})]})]})}})}export{$e as default};